/*
 * A decoder-only transformer trained with AdamW, data-parallel. One step:
 *
 *	load a batch ─ copy ─ zero ─ forward: embed, layers, head ─ backward (own thread),
 *	all-reduce of each layer's gradients on the NCCL stream ─ clip ─ AdamW ─ loss.item()
 *
 * Chosen so that every way of owning work occurs: leaves, operators with a model that
 * own what they call (layer_norm, scaled_dot_product_flash_attention), an operator with
 * work of its own beside a nested launching one, a host call without any operator.
 */
#include "synth.h"

/* ---- Arguments of operators ---- */

#define BF16 "\"c10::BFloat16\""
#define SHAPE(name, dims, types, strides, concrete) \
	static const struct shape name = { dims, types, strides, concrete, false }

SHAPE(s_ids, "[[8, 1024], [], [], [], [], [], []]",
      "[\"long int\", \"Scalar\", \"\", \"\", \"Scalar\", \"Scalar\", \"\"]",
      "[[1024, 1], [], [], [], [], [], []]",
      "[\"\", \"4\", \"\", \"\", \"True\", \"False\", \"\"]");
SHAPE(s_copy, "[[8, 1024], [8, 1024], []]", "[\"long int\", \"long int\", \"Scalar\"]",
      "[[1024, 1], [1024, 1], []]", "[\"\", \"\", \"True\"]");
SHAPE(s_embed, "[[32000, 1024], [8, 1024], [], [], []]",
      "[" BF16 ", \"long int\", \"Scalar\", \"Scalar\", \"Scalar\"]",
      "[[1024, 1], [1024, 1], [], [], []]", "[\"\", \"\", \"-1\", \"False\", \"False\"]");
SHAPE(s_select, "[[32000, 1024], [], [8192]]", "[" BF16 ", \"Scalar\", \"long int\"]",
      "[[1024, 1], [], [1]]", "[\"\", \"0\", \"\"]");
SHAPE(s_norm, "[[8, 1024, 1024], [], [1024], [1024], [], []]",
      "[" BF16 ", \"ScalarList\", " BF16 ", " BF16 ", \"Scalar\", \"Scalar\"]",
      "[[1048576, 1024, 1], [], [1], [1], [], []]",
      "[\"\", \"[1024]\", \"\", \"\", \"1.0000000000000001e-05\", \"True\"]");
SHAPE(s_native_norm, "[[8, 1024, 1024], [], [1024], [1024], []]",
      "[" BF16 ", \"ScalarList\", " BF16 ", " BF16 ", \"Scalar\"]",
      "[[1048576, 1024, 1], [], [1], [1], []]",
      "[\"\", \"[1024]\", \"\", \"\", \"1.0000000000000001e-05\"]");
#define LINEAR(name, in, out)                                                                 \
	SHAPE(s_linear_##name, "[[8, 1024, " in "], [" out ", " in "], [" out "]]",           \
	      "[" BF16 ", " BF16 ", " BF16 "]", "[[1048576, " in ", 1], [" in ", 1], [1]]",   \
	      "[\"\", \"\", \"\"]");                                                          \
	SHAPE(s_t_##name, "[[" out ", " in "]]", "[" BF16 "]", "[[" in ", 1]]", "[\"\"]");    \
	SHAPE(s_transpose_##name, "[[" out ", " in "], [], []]",                              \
	      "[" BF16 ", \"Scalar\", \"Scalar\"]", "[[" in ", 1], [], []]",                  \
	      "[\"\", \"0\", \"1\"]");                                                        \
	SHAPE(s_addmm_##name, "[[" out "], [8192, " in "], [" in ", " out "], [], []]",       \
	      "[" BF16 ", " BF16 ", " BF16 ", \"Scalar\", \"Scalar\"]",                       \
	      "[[1], [" in ", 1], [1, " in "], [], []]", "[\"\", \"\", \"\", \"1\", \"1\"]"); \
	SHAPE(s_dx_##name, "[[8192, " out "], [" out ", " in "]]", "[" BF16 ", " BF16 "]",    \
	      "[[" out ", 1], [" in ", 1]]", "[\"\", \"\"]");                                 \
	SHAPE(s_dw_##name, "[[" out ", 8192], [8192, " in "]]", "[" BF16 ", " BF16 "]",       \
	      "[[1, " out "], [" in ", 1]]", "[\"\", \"\"]");                                 \
	SHAPE(s_sum_##name, "[[8192, " out "], [], [], []]",                                  \
	      "[" BF16 ", \"ScalarList\", \"Scalar\", \"\"]", "[[" out ", 1], [], [], []]",   \
	      "[\"\", \"[0]\", \"True\", \"\"]")
LINEAR(qkv, "1024", "3072");
LINEAR(out, "1024", "1024");
LINEAR(up, "1024", "4096");
LINEAR(down, "4096", "1024");
SHAPE(s_attention, "[[8, 16, 1024, 64], [8, 16, 1024, 64], [8, 16, 1024, 64], [], [], []]",
      "[" BF16 ", " BF16 ", " BF16 ", \"Scalar\", \"Scalar\", \"Scalar\"]",
      "[[3145728, 64, 3072, 1], [3145728, 64, 3072, 1], [3145728, 64, 3072, 1], [], [], []]",
      "[\"\", \"\", \"\", \"0.\", \"True\", \"False\"]");
SHAPE(s_attention_back,
      "[[8, 16, 1024, 64], [8, 16, 1024, 64], [8, 16, 1024, 64], [8, 16, 1024, 64], "
      "[8, 16, 1024, 64], [8, 16, 1024]]",
      "[" BF16 ", " BF16 ", " BF16 ", " BF16 ", " BF16 ", \"float\"]",
      "[[1048576, 64, 1024, 1], [3145728, 64, 3072, 1], [3145728, 64, 3072, 1], "
      "[3145728, 64, 3072, 1], [1048576, 64, 1024, 1], [16384, 1024, 1]]",
      "[\"\", \"\", \"\", \"\", \"\", \"\"]");
SHAPE(s_fill, "[[8, 1024, 16, 64], []]", "[\"float\", \"Scalar\"]", "[[1048576, 1024, 64, 1], []]",
      "[\"\", \"0\"]");
SHAPE(s_hidden, "[[8, 1024, 1024], [8, 1024, 1024], []]", "[" BF16 ", " BF16 ", \"Scalar\"]",
      "[[1048576, 1024, 1], [1048576, 1024, 1], []]", "[\"\", \"\", \"1\"]");
SHAPE(s_view, "[[8192, 1024], []]", "[" BF16 ", \"ScalarList\"]", "[[1024, 1], []]",
      "[\"\", \"[8, 1024, 1024]\"]");
SHAPE(s_gelu, "[[8, 1024, 4096], []]", "[" BF16 ", \"\"]", "[[4194304, 4096, 1], []]",
      "[\"\", \"none\"]");
SHAPE(s_gelu_back, "[[8, 1024, 4096], [8, 1024, 4096], []]", "[" BF16 ", " BF16 ", \"\"]",
      "[[4194304, 4096, 1], [4194304, 4096, 1], []]", "[\"\", \"\", \"none\"]");
SHAPE(s_head, "[[8192, 1024], [1024, 32000]]", "[" BF16 ", " BF16 "]", "[[1024, 1], [1, 1024]]",
      "[\"\", \"\"]");
SHAPE(s_head_dx, "[[8192, 32000], [32000, 1024]]", "[" BF16 ", " BF16 "]",
      "[[32000, 1], [1024, 1]]", "[\"\", \"\"]");
SHAPE(s_head_dw, "[[32000, 8192], [8192, 1024]]", "[" BF16 ", " BF16 "]", "[[1, 32000], [1024, 1]]",
      "[\"\", \"\"]");
SHAPE(s_softmax, "[[8192, 32000], [], []]", "[" BF16 ", \"Scalar\", \"Scalar\"]",
      "[[32000, 1], [], []]", "[\"\", \"1\", \"True\"]");
SHAPE(s_nll, "[[8192, 32000], [8192], [], [], []]",
      "[\"float\", \"long int\", \"\", \"Scalar\", \"Scalar\"]", "[[32000, 1], [1], [], [], []]",
      "[\"\", \"\", \"\", \"1\", \"-100\"]");
SHAPE(s_weight, "[[4096, 1024], [4096, 1024], []]", "[" BF16 ", " BF16 ", \"Scalar\"]",
      "[[1024, 1], [1024, 1], []]", "[\"\", \"\", \"1\"]");
SHAPE(s_params, "[[], [], []]", "[\"TensorList\", \"Scalar\", \"\"]", "[[], [], []]",
      "[\"\", \"2\", \"\"]");
SHAPE(s_scalar, "[[]]", "[\"float\"]", "[[]]", "[\"\"]");

static const struct shape s_collective = { "[[12596224]]", "[" BF16 "]", "[[1]]", "[\"\"]", true };

/* ---- Lines ---- */

#define OP(d, text, args)                                                              \
	{                                                                              \
		.depth = (d), .kind = LINE_OP, .name = text, .shape = args, .host = 21 \
	}
#define OWNS(d, text, args)                                                             \
	{                                                                               \
		.depth = (d), .kind = LINE_OP, .name = text, .shape = args, .host = 29, \
		.owner = OWNER_THIS                                                     \
	}
#define GRAD(d, text, args, s)                                                          \
	{                                                                               \
		.depth = (d), .kind = LINE_OP, .name = text, .shape = args, .host = 34, \
		.owner = OWNER_THIS, .seq = s                                           \
	}
#define BACK(text, s)                                                           \
	{ .depth = 0,                                                           \
	  .kind = LINE_OP,                                                      \
	  .name = "autograd::engine::evaluate_function: " text,                 \
	  .host = 38,                                                           \
	  .seq = s },                                                           \
	{                                                                       \
		.depth = 1, .kind = LINE_OP, .name = text, .host = 17, .seq = s \
	}
#define PY(d, text)                                                    \
	{                                                              \
		.depth = (d), .kind = LINE_PY, .name = text, .host = 9 \
	}
#define NOTE(d, text, t)                                                 \
	{                                                                \
		.depth = (d), .kind = LINE_NOTE, .name = text, .host = t \
	}
#define LAUNCH(d, w)                                                    \
	{                                                               \
		.depth = (d), .kind = LINE_LAUNCH, .work = w, .host = 6 \
	}
#define LAUNCH_AS(d, w, who)                                                          \
	{                                                                             \
		.depth = (d), .kind = LINE_LAUNCH, .work = w, .host = 6, .owner = who \
	}
#define WAIT(d, on, for_stream)                                                               \
	{                                                                                     \
		.depth = (d), .kind = LINE_WAIT, .stream = on, .other = for_stream, .host = 6 \
	}
#define SYNC(d, on)                                                      \
	{                                                                \
		.depth = (d), .kind = LINE_SYNC, .stream = on, .host = 6 \
	}
#define CALL(d, text)                                                    \
	{                                                                \
		.depth = (d), .kind = LINE_CALL, .name = text, .host = 3 \
	}

#define CALL_MODULE(d)                                                 \
	PY(d, "torch/nn/modules/module.py(1532): _wrapped_call_impl"), \
		PY((d) + 1, "torch/nn/modules/module.py(1541): _call_impl")
#define MODULE(d, class, where) \
	PY(d, "nn.Module: " class "_%u"), CALL_MODULE((d) + 1), PY((d) + 3, where ": forward")
#define DO_LINEAR(d, size, s, w)                                                      \
	MODULE(d, "Linear", "torch/nn/modules/linear.py(116)"),                       \
		PY((d) + 4, "<built-in function linear>"),                            \
		OP((d) + 5, "aten::linear", &s_linear_##size),                        \
		OP((d) + 6, "aten::t", &s_t_##size),                                  \
		OP((d) + 7, "aten::transpose", &s_transpose_##size),                  \
		OP((d) + 8, "aten::as_strided", &s_transpose_##size),                 \
		OP((d) + 6, "aten::view", &s_view),                                   \
		GRAD((d) + 6, "aten::addmm", &s_addmm_##size, s), LAUNCH((d) + 7, w), \
		OP((d) + 6, "aten::view", &s_view)
#define DO_NORM(d, s)                                                               \
	MODULE(d, "LayerNorm", "torch/nn/modules/normalization.py(217)"),           \
		PY((d) + 4, "torch/nn/functional.py(2900): layer_norm"),            \
		OWNS((d) + 5, "aten::layer_norm", &s_norm),                         \
		{ .depth = (d) + 6,                                                 \
		  .kind = LINE_OP,                                                  \
		  .name = "aten::native_layer_norm",                                \
		  .shape = &s_native_norm,                                          \
		  .host = 31,                                                       \
		  .seq = s },                                                       \
		OP((d) + 7, "aten::empty", NULL), OP((d) + 7, "aten::empty", NULL), \
		LAUNCH((d) + 7, W_NORM)
#define BACK_LINEAR(size, s)                                                                       \
	BACK("AddmmBackward0", s), OP(2, "aten::t", &s_t_##size),                                  \
		OP(3, "aten::transpose", &s_transpose_##size),                                     \
		OP(4, "aten::as_strided", &s_transpose_##size), OWNS(2, "aten::mm", &s_dx_##size), \
		LAUNCH(3, W_GEMM_DX), OP(2, "aten::t", &s_t_##size),                               \
		OP(3, "aten::transpose", &s_transpose_##size), OWNS(2, "aten::mm", &s_dw_##size),  \
		LAUNCH(3, W_GEMM_DW), OWNS(1, "aten::sum", &s_sum_##size), LAUNCH(2, W_BIAS_SUM)
#define ACCUMULATE                                                                                \
	OP(0, "autograd::engine::evaluate_function: torch::autograd::AccumulateGrad", NULL),      \
		OP(1, "torch::autograd::AccumulateGrad", NULL), OWNS(2, "aten::add_", &s_weight), \
		LAUNCH(3, W_ACCUMULATE)
#define BACK_NORM(s)                                                         \
	BACK("NativeLayerNormBackward0", s),                                 \
		OWNS(2, "aten::native_layer_norm_backward", &s_native_norm), \
		OP(3, "aten::empty", NULL), LAUNCH(3, W_NORM_BACK_X), LAUNCH(3, W_NORM_BACK_W)

enum { SEQ_NONE, SEQ_NORM1, SEQ_QKV, SEQ_FLASH, SEQ_OUT, SEQ_NORM2, SEQ_UP, SEQ_GELU, SEQ_DOWN };
enum { SEQ_EMBED = 1, SEQ_FINAL_NORM, SEQ_HEAD, SEQ_SOFTMAX, SEQ_NLL };

/* clang-format off */
static const struct line load[] = {
	NOTE(0, "ProfilerStep#%u", 90),
	PY(1, "train.py(141): <module>"),
	PY(2, "train.py(96): train_step"),
	NOTE(3, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 110),
	PY(4, "torch/utils/data/dataloader.py(631): __next__"),
	PY(5, "torch/utils/data/dataloader.py(675): _next_data"),
	PY(6, "torch/utils/data/_utils/fetch.py(51): fetch"),
	{ .depth = 7, .kind = LINE_NOTE, .name = "read_tokens", .host = 2500 },
};

static const struct line load_item[] = {
	PY(7, "tokens.py(58): __getitem__"),
	PY(8, "tokens.py(71): encode"),
	PY(9, "tokenizers/bpe.py(114): split_words"),
	PY(10, "<built-in method findall of re.Pattern object at 0x7f51e6a1d110>"),
	PY(9, "tokenizers/bpe.py(133): merge"),
	PY(10, "<built-in method get of dict object at 0x7f51d9c2b480>"),
};

static const struct line load_end[] = {
	OP(7, "aten::stack", NULL),
	OP(8, "aten::cat", NULL),
	PY(3, "<built-in method to of Tensor object at 0x7f51d40c7c40>"),
	OP(4, "aten::to", &s_ids),
	OP(5, "aten::_to_copy", &s_ids),
	OP(6, "aten::empty_strided", NULL),
	OWNS(6, "aten::copy_", &s_copy),
	LAUNCH(7, W_HTOD),
	WAIT(3, STREAM_COMPUTE, STREAM_COPY),
};

static const struct line zero[] = {
	NOTE(3, "Optimizer.zero_grad#AdamW.zero_grad", 60),
	PY(4, "torch/optim/optimizer.py(817): zero_grad"),
	LAUNCH_AS(5, W_SET, OWNER_API_WORK),
};

static const struct line forward_begin[] = {
	MODULE(3, "Transformer", "model.py(212)"),
	MODULE(7, "Embedding", "torch/nn/modules/sparse.py(162)"),
	PY(11, "torch/nn/functional.py(2154): embedding"),
	{ .depth = 12, .kind = LINE_OP, .name = "aten::embedding", .shape = &s_embed, .host = 40, .seq = SEQ_EMBED },
	OP(13, "aten::reshape", NULL),
	OWNS(13, "aten::index_select", &s_select),
	OP(14, "aten::empty", NULL),
	LAUNCH(14, W_EMBED),
	OP(13, "aten::view", &s_view),
};

static const struct line forward_layer[] = {
	MODULE(7, "Block", "model.py(164)"),
	DO_NORM(11, SEQ_NORM1),
	MODULE(11, "Attention", "model.py(101)"),
	DO_LINEAR(15, qkv, SEQ_QKV, W_GEMM_QKV),
	OP(15, "aten::chunk", NULL),
	OP(16, "aten::split", NULL),
	OP(17, "aten::narrow", NULL),
	OP(18, "aten::slice", NULL),
	PY(15, "<built-in function scaled_dot_product_attention>"),
	OP(16, "aten::scaled_dot_product_attention", &s_attention),
	GRAD(17, "aten::_scaled_dot_product_flash_attention", &s_attention, SEQ_FLASH),
	OP(18, "aten::transpose", &s_attention),
	OP(18, "aten::_flash_attention_forward", &s_attention),
	CALL(19, "cudaStreamIsCapturing"),
	OP(19, "aten::empty_like", NULL),
	LAUNCH(19, W_FLASH),
	DO_LINEAR(15, out, SEQ_OUT, W_GEMM_OUT),
	OWNS(11, "aten::add", &s_hidden),
	LAUNCH(12, W_ADD),
	DO_NORM(11, SEQ_NORM2),
	MODULE(11, "FeedForward", "model.py(139)"),
	DO_LINEAR(15, up, SEQ_UP, W_GEMM_UP),
	MODULE(15, "GELU", "torch/nn/modules/activation.py(703)"),
	GRAD(19, "aten::gelu", &s_gelu, SEQ_GELU),
	LAUNCH(20, W_GELU),
	DO_LINEAR(15, down, SEQ_DOWN, W_GEMM_DOWN),
	OWNS(11, "aten::add", &s_hidden),
	LAUNCH(12, W_ADD),
};

static const struct line forward_end[] = {
	DO_NORM(7, SEQ_FINAL_NORM),
	MODULE(7, "Linear", "torch/nn/modules/linear.py(116)"),
	OP(11, "aten::linear", &s_head),
	OP(12, "aten::matmul", &s_head),
	GRAD(13, "aten::mm", &s_head, SEQ_HEAD),
	LAUNCH(14, W_GEMM_HEAD),
};

static const struct line loss[] = {
	PY(3, "torch/nn/functional.py(3014): cross_entropy"),
	OP(4, "aten::cross_entropy_loss", &s_nll),
	OP(5, "aten::log_softmax", &s_softmax),
	GRAD(6, "aten::_log_softmax", &s_softmax, SEQ_SOFTMAX),
	LAUNCH(7, W_SOFTMAX),
	OP(5, "aten::nll_loss_nd", &s_nll),
	OP(6, "aten::nll_loss", &s_nll),
	GRAD(7, "aten::nll_loss_forward", &s_nll, SEQ_NLL),
	LAUNCH(8, W_NLL),
	PY(3, "torch/_tensor.py(521): backward"),
	PY(4, "torch/autograd/__init__.py(267): backward"),
	PY(5, "torch/autograd/graph.py(768): _engine_run_backward"),
	PY(6, "<built-in method run_backward of torch._C._EngineBase object at 0x7f51e2a3c0b0>"),
};

static const struct line backward_begin[] = {
	BACK("NllLossBackward0", SEQ_NLL),
	OWNS(2, "aten::nll_loss_backward", &s_nll),
	LAUNCH(3, W_NLL_BACK),
	BACK("LogSoftmaxBackward0", SEQ_SOFTMAX),
	OWNS(2, "aten::_log_softmax_backward_data", &s_softmax),
	LAUNCH(3, W_SOFTMAX_BACK),
	BACK("MmBackward0", SEQ_HEAD),
	OWNS(2, "aten::mm", &s_head_dw),
	LAUNCH(3, W_GEMM_HEAD),
	OWNS(2, "aten::mm", &s_head_dx),
	LAUNCH(3, W_GEMM_HEAD),
	BACK_NORM(SEQ_FINAL_NORM),
};

static const struct line backward_layer[] = {
	BACK_LINEAR(down, SEQ_DOWN),
	BACK("GeluBackward0", SEQ_GELU),
	OWNS(2, "aten::gelu_backward", &s_gelu_back),
	LAUNCH(3, W_GELU_BACK),
	BACK_LINEAR(up, SEQ_UP),
	ACCUMULATE,
	BACK_NORM(SEQ_NORM2),
	BACK_LINEAR(out, SEQ_OUT),
	/* An operator with work of its own beside an operator that launches. */
	BACK("ScaledDotProductFlashAttentionBackward0", SEQ_FLASH),
	OP(2, "aten::_scaled_dot_product_flash_attention_backward", &s_attention_back),
	OP(3, "aten::_flash_attention_backward", &s_attention_back),
	OP(4, "aten::empty", NULL),
	OP(4, "aten::zeros", NULL),
	OP(5, "aten::zero_", NULL),
	OWNS(6, "aten::fill_", &s_fill),
	LAUNCH(7, W_FILL),
	LAUNCH_AS(4, W_FLASH_DOT, OWNER_OP_WORK),
	LAUNCH_AS(4, W_FLASH_BACK, OWNER_OP_WORK),
	LAUNCH_AS(4, W_FLASH_CONVERT, OWNER_OP_WORK),
	BACK_LINEAR(qkv, SEQ_QKV),
	BACK_NORM(SEQ_NORM1),
	ACCUMULATE,
	OP(1, "c10d::allreduce_", NULL),
	OWNS(2, "record_param_comms", &s_collective),
	WAIT(3, STREAM_NCCL, STREAM_COMPUTE),
	NOTE(3, "nccl:all_reduce", 40),
	LAUNCH(4, W_ALL_REDUCE),
};

static const struct line backward_end[] = {
	BACK("EmbeddingBackward0", SEQ_EMBED),
	OP(2, "aten::embedding_backward", &s_embed),
	OWNS(3, "aten::embedding_dense_backward", &s_embed),
	LAUNCH(4, W_EMBED_SORT),
	LAUNCH(4, W_EMBED_BACK),
	OP(0, "autograd::engine::evaluate_function: torch::autograd::AccumulateGrad", NULL),
	OP(1, "torch::autograd::AccumulateGrad", NULL),
	OP(1, "c10d::allreduce_", NULL),
	OWNS(2, "record_param_comms", &s_collective),
	WAIT(3, STREAM_NCCL, STREAM_COMPUTE),
	NOTE(3, "nccl:all_reduce", 40),
	LAUNCH(4, W_ALL_REDUCE),
};

static const struct line optimizer[] = {
	WAIT(3, STREAM_COMPUTE, STREAM_NCCL),
	PY(3, "torch/nn/utils/clip_grad.py(20): clip_grad_norm_"),
	OWNS(4, "aten::_foreach_norm", &s_params),
	LAUNCH(5, W_NORM_PARTS),
	LAUNCH(5, W_NORM_SUM),
	OWNS(4, "aten::_foreach_mul_", &s_params),
	LAUNCH(5, W_SCALE),
	NOTE(3, "Optimizer.step#AdamW.step", 70),
	PY(4, "torch/optim/optimizer.py(484): wrapper"),
	PY(5, "torch/optim/adamw.py(197): step"),
	OWNS(6, "aten::_fused_adamw_", &s_params),
	LAUNCH(7, W_ADAMW),
};

static const struct line optimizer_chunk[] = {
	LAUNCH(7, W_ADAMW),
};

static const struct line finish[] = {
	PY(3, "<built-in method item of Tensor object at 0x7f51d40c9a10>"),
	OP(4, "aten::item", &s_scalar),
	OWNS(5, "aten::_local_scalar_dense", &s_scalar),
	LAUNCH(6, W_DTOH),
	SYNC(6, STREAM_COMPUTE),
};
/* clang-format on */

#define SECTION(l, repeat, thread, training, after)               \
	{                                                         \
		l, ARRAY_SIZE(l), repeat, thread, training, after \
	}

const struct section sections[] = {
	SECTION(load, ONCE, THREAD_MAIN, false, false),
	SECTION(load_item, EACH_ITEM, THREAD_MAIN, false, false),
	SECTION(load_end, ONCE, THREAD_MAIN, false, false),
	SECTION(zero, ONCE, THREAD_MAIN, true, false),
	SECTION(forward_begin, ONCE, THREAD_MAIN, false, false),
	SECTION(forward_layer, EACH_LAYER, THREAD_MAIN, false, false),
	SECTION(forward_end, ONCE, THREAD_MAIN, false, false),
	SECTION(loss, ONCE, THREAD_MAIN, true, false),
	SECTION(backward_begin, ONCE, THREAD_BACKWARD, true, false),
	SECTION(backward_layer, EACH_LAYER_BACKWARD, THREAD_BACKWARD, true, false),
	SECTION(backward_end, ONCE, THREAD_BACKWARD, true, false),
	SECTION(optimizer, ONCE, THREAD_MAIN, true, true),
	SECTION(optimizer_chunk, EACH_FOURTH_LAYER, THREAD_MAIN, true, true),
	SECTION(finish, ONCE, THREAD_MAIN, false, true),
};
const unsigned nsections = ARRAY_SIZE(sections);
const struct line unlinked_line = { .kind = LINE_LAUNCH,
				    .work = W_ACCUMULATE,
				    .owner = OWNER_OP_WORK };
