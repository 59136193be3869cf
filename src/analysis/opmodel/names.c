/*
 * The list is sorted bytewise and searched by halving; who asks per event keeps the
 * answer per name.
 */
#include "analysis/opmodel/names.h"

#include <stdio.h>

/* clang-format off */
static const struct opmodel models[] = {
	{ "ConvBiasReLU_", "ConvBiasReLU_", CAT_CONV_FWD, CAT_CONV_BWD, FAM_CONV },
	{ "ConvBiasReLU_Backward", "ConvBiasReLU_Backward", CAT_CONV_BWD, CAT_CONV_BWD, FAM_CONV },
	{ "ConvBias_", "ConvBias_", CAT_CONV_FWD, CAT_CONV_BWD, FAM_CONV },
	{ "ConvBias_Backward", "ConvBias_Backward", CAT_CONV_BWD, CAT_CONV_BWD, FAM_CONV },
	{ "CrossEntropyFunction", "cross_entropy_fwd", CAT_CROSS_ENTROPY_FWD, CAT_NONE, FAM_CROSS_ENTROPY },
	{ "CrossEntropyFunctionBackward", NULL, CAT_CROSS_ENTROPY_BWD, CAT_NONE, FAM_NONE },
	{ "DaoAILab::_causal_conv1d_bwd_cpp", NULL, CAT_SSM_BWD, CAT_NONE, FAM_NONE },
	{ "DaoAILab::_causal_conv1d_fwd_cpp", "causal_conv1d_fwd", CAT_SSM_FWD, CAT_NONE, FAM_SSM },
	{ "EvoformerAttention", "evoformer_attention", CAT_SDPA_FWD, CAT_SDPA_BWD, FAM_SDPA },
	{ "FlashAttnFunc", "flash_attention", CAT_SDPA_FWD, CAT_SDPA_BWD, FAM_SDPA },
	{ "FlashAttnFuncBackward", NULL, CAT_SDPA_BWD, CAT_NONE, FAM_NONE },
	{ "FusedAttnFuncBackward", NULL, CAT_SDPA_BWD, CAT_NONE, FAM_NONE },
	{ "FusedRoPEFunc", "fused_rope_fwd", CAT_ROPE_FWD, CAT_NONE, FAM_ROPE },
	{ "FusedRoPEFuncBackward", NULL, CAT_ROPE_BWD, CAT_NONE, FAM_NONE },
	{ "LigerSiLUMulFunction", "liger_silu_mul_function", CAT_ELEMENTWISE, CAT_NONE, FAM_BINARY },
	{ "MambaSplitConv1dScanCombinedFn", "mamba_ssd_fwd", CAT_SSM_FWD, CAT_SSM_BWD, FAM_SSM },
	{ "MambaSplitConv1dScanCombinedFnBackward", NULL, CAT_SSM_BWD, CAT_NONE, FAM_NONE },
	{ "MoECombine", "moe_combine", CAT_MOE_COMM_FWD, CAT_MOE_COMM_BWD, FAM_MOE_COMM },
	{ "MoECombineBackward", NULL, CAT_MOE_COMM_BWD, CAT_NONE, FAM_NONE },
	{ "MoEDispatch", "moe_dispatch", CAT_MOE_COMM_FWD, CAT_MOE_COMM_BWD, FAM_MOE_COMM },
	{ "MoEDispatchBackward", NULL, CAT_MOE_COMM_BWD, CAT_NONE, FAM_NONE },
	{ "TokenPermuteMaskMap", NULL, CAT_MOE_COMM_FWD, CAT_NONE, FAM_NONE },
	{ "TokenPermuteMaskMapBackward", NULL, CAT_MOE_COMM_BWD, CAT_NONE, FAM_NONE },
	{ "_C::silu_and_mul", "aiter_silu_and_mul", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "_C_cache_ops::concat_and_cache_mla", NULL, CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_NONE },
	{ "_C_cache_ops::reshape_and_cache_flash", NULL, CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_NONE },
	{ "_C_custom_ar::all_reduce", "custom_ar_all_reduce", CAT_CUSTOM_COLLECTIVE, CAT_NONE, FAM_COLLECTIVE },
	{ "_C_custom_ar::qr_all_reduce", "custom_ar_qr_all_reduce", CAT_CUSTOM_COLLECTIVE, CAT_NONE, FAM_COLLECTIVE },
	{ "_LayerNormLinearBackward_wgrad_mm", "tev2_pseudo_gemm", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "_LayerNormLinearBackward_xgrad_mm", "tev2_pseudo_gemm", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "_LayerNormLinear_yfwd_mm", "tev2_pseudo_gemm", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "_LinearBackward_wgrad_mm", "tev2_pseudo_gemm", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "_LinearBackward_xgrad_mm", "tev2_pseudo_gemm", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "_Linear_yfwd_mm", "tev2_pseudo_gemm", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "_OperationFuserAutogradFunction", NULL, CAT_MOE_COMM_FWD, CAT_NONE, FAM_NONE },
	{ "_OperationFuserAutogradFunctionBackward", NULL, CAT_MOE_COMM_BWD, CAT_NONE, FAM_NONE },
	{ "_moe_C::moe_align_block_size", NULL, CAT_MOE_AUX, CAT_NONE, FAM_NONE },
	{ "aiter::_flash_attn_backward", "aiter__flash_attn_backward", CAT_SDPA_BWD, CAT_SDPA_BWD, FAM_SDPA },
	{ "aiter::_flash_attn_forward", "aiter__flash_attn_forward", CAT_SDPA_FWD, CAT_SDPA_BWD, FAM_SDPA },
	{ "aiter::_fuse_rmsnorm_fp4_quant", "fused_rms_mxfp4_quant", CAT_RMSNORM, CAT_NONE, FAM_RMSNORM },
	{ "aiter::_gemm_a16w16_asm", "gemm_a16w16_asm", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "aiter::_gemm_a4w4_asm", "aiter_gemm_a4w4", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "aiter::_gemm_a8w8_blockscale_bpreshuffle_asm", "gemm_a8w8_blockscale", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "aiter::_groupnorm_run", "GroupNorm", CAT_NORM_FWD, CAT_NORM_BWD, FAM_NORM },
	{ "aiter::add_rmsnorm", "aiter_rmsnorm2d_fwd_with_add_ck", CAT_RMSNORM, CAT_NONE, FAM_RMSNORM },
	{ "aiter::all_gather_reg", "aiter_all_gather_reg", CAT_CUSTOM_COLLECTIVE, CAT_NONE, FAM_COLLECTIVE },
	{ "aiter::batched_gemm_a16wfp4_", "batched_gemm_a16wfp4", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "aiter::biased_grouped_topk_hip", "BiasedGroupedTopk", CAT_MOE_AUX, CAT_NONE, FAM_MOE_AUX },
	{ "aiter::ck_moe_stage1", "moe_aiter_ck_stage1", CAT_MOE_UNFUSED, CAT_NONE, FAM_MOE_UNFUSED },
	{ "aiter::ck_moe_stage2", "moe_aiter_ck_stage2", CAT_MOE_UNFUSED, CAT_NONE, FAM_MOE_UNFUSED },
	{ "aiter::dynamic_per_group_scaled_quant", "per_group_quant", CAT_GROUP_QUANT, CAT_NONE, FAM_BINARY },
	{ "aiter::dynamic_per_group_scaled_quant_fp4", "aiter_dynamic_per_group_scaled_quant_fp4", CAT_GROUP_QUANT, CAT_NONE, FAM_GROUP_QUANT },
	{ "aiter::dynamic_per_tensor_quant", "per_group_quant", CAT_GROUP_QUANT, CAT_NONE, FAM_BINARY },
	{ "aiter::dynamic_per_token_scaled_quant", "per_group_quant", CAT_GROUP_QUANT, CAT_NONE, FAM_BINARY },
	{ "aiter::flatmm_a8w8_blockscale_asm", "gemm_a8w8_blockscale", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "aiter::fmha_v3_fwd", "aiter__fmha_v3_fwd", CAT_SDPA_FWD, CAT_SDPA_BWD, FAM_SDPA },
	{ "aiter::fmha_v3_varlen_fwd", "aiter_fmha_v3_varlen_fwd", CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_INFERENCE_ATTENTION },
	{ "aiter::fmoe_fp8_blockscale_g1u1", "moe_aiter_fused_blockscale", CAT_MOE_FUSED, CAT_NONE, FAM_MOE_FUSED },
	{ "aiter::fmoe_g1u1", "moe_aiter_fused_blockscale", CAT_MOE_FUSED, CAT_NONE, FAM_MOE_FUSED },
	{ "aiter::fused_add_rmsnorm_pad_", "vllm_rocm_aiter_triton_add_rmsnorm_pad", CAT_RMSNORM, CAT_NONE, FAM_RMSNORM },
	{ "aiter::fused_allreduce_rmsnorm", "aiter_fused_allreduce_rmsnorm", CAT_CUSTOM_COLLECTIVE, CAT_NONE, FAM_COLLECTIVE },
	{ "aiter::fused_allreduce_rmsnorm_", "aiter_fused_allreduce_rmsnorm_", CAT_CUSTOM_COLLECTIVE, CAT_NONE, FAM_COLLECTIVE },
	{ "aiter::fused_dynamic_mx_quant_moe_sort_hip", "fused_dynamic_mx_quant_moe_sort_hip", CAT_GROUP_QUANT, CAT_NONE, FAM_GROUP_QUANT },
	{ "aiter::fused_dynamic_mxfp4_quant_moe_sort_hip", "aiter_fused_dynamic_mxfp4_quant_moe_sort_hip", CAT_MOE_AUX, CAT_NONE, FAM_GROUP_QUANT },
	{ "aiter::fused_moe_->_fused_dynamic_mxfp4_quant_moe_sort_kernel (Synthetic Op)", NULL, CAT_MOE_AUX, CAT_NONE, FAM_NONE },
	{ "aiter::fused_qk_rope_cat_and_cache_mla", "aiter_fused_qk_rope_cat_and_cache_mla", CAT_ROPE_FWD, CAT_NONE, FAM_FUSED_ROPE },
	{ "aiter::fused_qk_rope_concat_and_cache_mla", "fused_qk_rope_concat_and_cache_mla", CAT_ROPE_FWD, CAT_NONE, FAM_FUSED_ROPE },
	{ "aiter::gelu_and_mul", "aiter_gelu_and_mul", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "aiter::gelu_tanh_and_mul", "aiter_gelu_tanh_and_mul", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "aiter::gemm_a16w16", "gemm_a16w16", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "aiter::gemm_a16w16_atomic_", "gemm_a16w16_atomic_", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "aiter::gemm_a4w4", "aiter_gemm_a4w4", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "aiter::gemm_a8w8_blockscale_bpreshuffle_ck", "gemm_a8w8_blockscale", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "aiter::gemm_a8w8_blockscale_bpreshuffle_cktile", "gemm_a8w8_blockscale", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "aiter::gemm_a8w8_blockscale_ck", "gemm_a8w8_blockscale", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "aiter::gemm_a8w8_blockscale_cktile", "gemm_a8w8_blockscale", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "aiter::gemm_a8w8_bpreshuffle", "gemm_a8w8_blockscale", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "aiter::gemm_a8w8_bpreshuffle_ck", "gemm_a8w8_blockscale", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "aiter::gemm_a8w8_ck", "gemm_a8w8_blockscale", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "aiter::gemm_afp4wfp4_", "gemm_afp4wfp4", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "aiter::get_mla_metadata_v1", NULL, CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_NONE },
	{ "aiter::gfx950_a8w8_blockscale_asm", "gemm_a8w8_blockscale", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "aiter::grouped_topk", NULL, CAT_MOE_AUX, CAT_NONE, FAM_NONE },
	{ "aiter::indexer_score_topk", NULL, CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_NONE },
	{ "aiter::linear_attention_with_output_base", "gdn_attention_core", CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_INFERENCE_ATTENTION },
	{ "aiter::mha_batch_prefill", "aiter_mha_batch_prefill", CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_INFERENCE_ATTENTION },
	{ "aiter::mha_bwd", "aiter__mha_bwd", CAT_SDPA_BWD, CAT_SDPA_BWD, FAM_SDPA },
	{ "aiter::mha_fwd", "aiter__mha_fwd", CAT_SDPA_FWD, CAT_SDPA_BWD, FAM_SDPA },
	{ "aiter::mha_varlen_fwd", "mha_varlen_fwd", CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_INFERENCE_ATTENTION },
	{ "aiter::mhc_fused_post_pre_gemm_sqrsum", "mhc_fused_post_pre_gemm_sqrsum", CAT_MHC, CAT_NONE, FAM_MHC },
	{ "aiter::mhc_post", "mhc_post", CAT_MHC, CAT_NONE, FAM_MHC },
	{ "aiter::mhc_pre_big_fuse_rmsnorm", "mhc_pre_big_fuse_rmsnorm", CAT_MHC, CAT_NONE, FAM_MHC },
	{ "aiter::mhc_pre_gemm_sqrsum", "mhc_pre_gemm_sqrsum", CAT_MHC, CAT_NONE, FAM_MHC },
	{ "aiter::mixed_sample_outer_exponential", "mixed_sample_outer_exponential", CAT_ELEMENTWISE, CAT_NONE, FAM_ELEMENTWISE },
	{ "aiter::moe_align_block_size", NULL, CAT_MOE_AUX, CAT_NONE, FAM_NONE },
	{ "aiter::moe_cktile2stages_gemm1_ck", "moe_aiter_unfused_up", CAT_MOE_UNFUSED, CAT_NONE, FAM_MOE_UNFUSED },
	{ "aiter::moe_cktile2stages_gemm2_ck", "moe_aiter_unfused_down", CAT_MOE_UNFUSED, CAT_NONE, FAM_MOE_UNFUSED },
	{ "aiter::moe_fused_gate", NULL, CAT_MOE_AUX, CAT_NONE, FAM_NONE },
	{ "aiter::moe_sorting_fwd", "MoeSortScatterGather", CAT_MOE_AUX, CAT_NONE, FAM_MOE_AUX },
	{ "aiter::moe_sorting_opus_fwd", NULL, CAT_MOE_AUX, CAT_NONE, FAM_NONE },
	{ "aiter::moe_sum", NULL, CAT_MOE_AUX, CAT_NONE, FAM_NONE },
	{ "aiter::mxfp4_moe_sort_hip", "MoeSortScatterGather", CAT_MOE_AUX, CAT_NONE, FAM_MOE_AUX },
	{ "aiter::pa_decode_gluon", "pa_decode_gluon", CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_INFERENCE_ATTENTION },
	{ "aiter::pa_sparse_prefill_opus_fwd", "pa_sparse_prefill_opus_fwd", CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_INFERENCE_ATTENTION },
	{ "aiter::reduce_scatter", "aiter_reduce_scatter", CAT_CUSTOM_COLLECTIVE, CAT_NONE, FAM_COLLECTIVE },
	{ "aiter::rms_norm", "aiter_rms_norm", CAT_RMSNORM, CAT_NONE, FAM_RMSNORM },
	{ "aiter::rmsnorm", "aiter_rmsnorm", CAT_RMSNORM, CAT_NONE, FAM_RMSNORM },
	{ "aiter::rmsnorm2d_fwd_ck", "aiter_rms_norm", CAT_RMSNORM, CAT_NONE, FAM_RMSNORM },
	{ "aiter::rmsnorm2d_fwd_with_add_ck", "aiter_rmsnorm2d_fwd_with_add_ck", CAT_RMSNORM, CAT_NONE, FAM_RMSNORM },
	{ "aiter::rmsnorm2d_fwd_with_dynamicquant_ck", "aiter_rmsnorm2d_fwd_with_dynamicquant_ck", CAT_RMSNORM, CAT_NONE, FAM_RMSNORM },
	{ "aiter::rmsnorm_quant", "aiter_rmsnorm_quant", CAT_RMSNORM, CAT_NONE, FAM_RMSNORM },
	{ "aiter::rope_cached_positions_2c_fwd_impl", "aiter_rope_cached_positions_2c_fwd_impl", CAT_ROPE_FWD, CAT_NONE, FAM_ROPE },
	{ "aiter::silu_and_mul", "aiter_silu_and_mul", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "aiter::topk_sigmoid", NULL, CAT_MOE_AUX, CAT_NONE, FAM_NONE },
	{ "aiter::topk_softmax", NULL, CAT_MOE_AUX, CAT_NONE, FAM_NONE },
	{ "aiter::topk_softmax_asm", NULL, CAT_MOE_AUX, CAT_NONE, FAM_NONE },
	{ "aiter::topk_softplus", "topk_softplus", CAT_MOE_AUX, CAT_NONE, FAM_MOE_AUX },
	{ "aiter::unified_attention_with_output_base->_fused_qk_rope_reshape_and_cache_kernel (Synthetic Op)", NULL, CAT_FUSED_ROPE, CAT_NONE, FAM_NONE },
	{ "aiter::v4_attention_with_output->_inverse_rope_gptj_kernel (Synthetic Op)", NULL, CAT_FUSED_ROPE, CAT_NONE, FAM_NONE },
	{ "aiter::v4_attention_with_output->_swa_write_kernel (Synthetic Op)", NULL, CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_NONE },
	{ "aiter::v4_attention_with_output->_update_compressor_states_kernel (Synthetic Op)", NULL, CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_NONE },
	{ "aiter::v4_attention_with_output->fused_compress_attn_D128_RD64_R4_OVL_SS8_KB32_Q_ue8m0_psh_rmsbf16_pf_flydsl (Synthetic Op)", NULL, CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_NONE },
	{ "aiter::v4_attention_with_output->fused_compress_attn_D512_RD64_R4_OVL_SS8_KB32_rmsbf16_pf_flydsl (Synthetic Op)", NULL, CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_NONE },
	{ "aiter::v4_attention_with_output->hca_compress_forward_D512_R128_NW4_SL256_S128_flydsl (Synthetic Op)", NULL, CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_NONE },
	{ "aiter::v4_attention_with_output->hca_compress_forward_D512_R128_NW8_SL128_S128_flydsl (Synthetic Op)", NULL, CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_NONE },
	{ "aiter::v4_attention_with_output->hca_norm_rope_scatter_D512_RD64_R128_KB1_rmsbf16_flydsl (Synthetic Op)", NULL, CAT_FUSED_ROPE, CAT_NONE, FAM_NONE },
	{ "aiter::v4_attention_with_output->qk_norm_rope_H32_D512_RD64_flydsl (Synthetic Op)", NULL, CAT_FUSED_ROPE, CAT_NONE, FAM_NONE },
	{ "aiter::v4_attention_with_output->qk_norm_rope_H64_D512_RD64_flydsl (Synthetic Op)", NULL, CAT_FUSED_ROPE, CAT_NONE, FAM_NONE },
	{ "aiter::wrapper_fmha_v3_bwd", "aiter__fmha_v3_backward", CAT_SDPA_BWD, CAT_SDPA_BWD, FAM_SDPA },
	{ "aiter::wrapper_fmha_v3_fwd", "aiter__fmha_v3_forward", CAT_SDPA_FWD, CAT_SDPA_BWD, FAM_SDPA },
	{ "aten::_efficient_attention_backward", NULL, CAT_SDPA_BWD, CAT_NONE, FAM_NONE },
	{ "aten::_efficient_attention_forward", NULL, CAT_SDPA_FWD, CAT_NONE, FAM_NONE },
	{ "aten::_fused_rms_norm", "RMSNorm", CAT_NORM_FWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::_fused_rms_norm_backward", "RMSNormBwd", CAT_NORM_BWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::_scaled_dot_product_cudnn_attention", "aten__scaled_dot_product_cudnn_attention", CAT_SDPA_FWD, CAT_SDPA_BWD, FAM_SDPA },
	{ "aten::_scaled_dot_product_cudnn_attention_backward", NULL, CAT_SDPA_BWD, CAT_NONE, FAM_NONE },
	{ "aten::_scaled_dot_product_efficient_attention", "aten__scaled_dot_product_efficient_attention", CAT_SDPA_FWD, CAT_SDPA_BWD, FAM_SDPA },
	{ "aten::_scaled_dot_product_efficient_attention_backward", NULL, CAT_SDPA_BWD, CAT_NONE, FAM_NONE },
	{ "aten::_scaled_dot_product_flash_attention", "aten__scaled_dot_product_flash_attention", CAT_SDPA_FWD, CAT_SDPA_BWD, FAM_SDPA },
	{ "aten::_scaled_dot_product_flash_attention_backward", NULL, CAT_SDPA_BWD, CAT_NONE, FAM_NONE },
	{ "aten::_scaled_mm", "aten_scaled_mm", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "aten::add", "aten_binary_elementwise", CAT_ELEMENTWISE, CAT_NONE, FAM_BINARY },
	{ "aten::add_", "aten_binary_elementwise", CAT_ELEMENTWISE, CAT_NONE, FAM_BINARY },
	{ "aten::addmm", "aten_addmm", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "aten::amax", "aten_reduce", CAT_REDUCE, CAT_NONE, FAM_REDUCE },
	{ "aten::amin", "aten_reduce", CAT_REDUCE, CAT_NONE, FAM_REDUCE },
	{ "aten::baddbmm", "aten_baddbmm", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "aten::batch_norm", "BatchNorm", CAT_NORM_FWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::batch_norm_backward", "BatchNormBwd", CAT_NORM_BWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::bmm", "aten_bmm", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "aten::clamp_max", "aten_unary_elementwise", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "aten::clamp_max_", "aten_unary_elementwise", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "aten::clamp_min", "aten_unary_elementwise", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "aten::clamp_min_", "aten_unary_elementwise", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "aten::convolution", "aten_conv", CAT_CONV_FWD, CAT_CONV_BWD, FAM_CONV },
	{ "aten::convolution_backward", "aten_conv_bwd", CAT_CONV_BWD, CAT_CONV_BWD, FAM_CONV },
	{ "aten::copy", "aten_unary_elementwise", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "aten::copy_", "aten_unary_elementwise", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "aten::cudnn_batch_norm", "BatchNorm", CAT_NORM_FWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::cudnn_batch_norm_backward", "BatchNormBwd", CAT_NORM_BWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::cudnn_convolution", NULL, CAT_CONV_FWD, CAT_NONE, FAM_NONE },
	{ "aten::cudnn_group_norm", "GroupNorm", CAT_NORM_FWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::cudnn_group_norm_backward", "GroupNormBwd", CAT_NORM_BWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::cudnn_instance_norm", "InstanceNorm", CAT_NORM_FWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::cudnn_instance_norm_backward", "InstanceNormBwd", CAT_NORM_BWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::cudnn_layer_norm", "LayerNorm", CAT_NORM_FWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::cudnn_layer_norm_backward", "LayerNormBwd", CAT_NORM_BWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::cudnn_rms_norm_backward", "RMSNormBwd", CAT_NORM_BWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::cumprod", "aten_reduce", CAT_REDUCE, CAT_NONE, FAM_REDUCE },
	{ "aten::cumsum", "aten_reduce", CAT_REDUCE, CAT_NONE, FAM_REDUCE },
	{ "aten::div", "aten_binary_elementwise", CAT_ELEMENTWISE, CAT_NONE, FAM_BINARY },
	{ "aten::div_", "aten_binary_elementwise", CAT_ELEMENTWISE, CAT_NONE, FAM_BINARY },
	{ "aten::group_norm", "GroupNorm", CAT_NORM_FWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::group_norm_backward", "GroupNormBwd", CAT_NORM_BWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::instance_norm", "InstanceNorm", CAT_NORM_FWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::instance_norm_backward", "InstanceNormBwd", CAT_NORM_BWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::layer_norm", "LayerNorm", CAT_NORM_FWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::layer_norm_backward", "LayerNormBwd", CAT_NORM_BWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::linalg_norm", "aten_reduce", CAT_REDUCE, CAT_NONE, FAM_REDUCE },
	{ "aten::logsumexp", "aten_reduce", CAT_REDUCE, CAT_NONE, FAM_REDUCE },
	{ "aten::max", "aten_reduce", CAT_REDUCE, CAT_NONE, FAM_REDUCE },
	{ "aten::mean", "aten_reduce", CAT_REDUCE, CAT_NONE, FAM_REDUCE },
	{ "aten::min", "aten_reduce", CAT_REDUCE, CAT_NONE, FAM_REDUCE },
	{ "aten::miopen_batch_norm", "BatchNorm", CAT_NORM_FWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::miopen_batch_norm_backward", "BatchNormBwd", CAT_NORM_BWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::miopen_convolution", NULL, CAT_CONV_FWD, CAT_NONE, FAM_NONE },
	{ "aten::miopen_group_norm", "GroupNorm", CAT_NORM_FWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::miopen_group_norm_backward", "GroupNormBwd", CAT_NORM_BWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::miopen_instance_norm", "InstanceNorm", CAT_NORM_FWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::miopen_instance_norm_backward", "InstanceNormBwd", CAT_NORM_BWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::miopen_layer_norm", "LayerNorm", CAT_NORM_FWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::miopen_layer_norm_backward", "LayerNormBwd", CAT_NORM_BWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::miopen_rms_norm_backward", "RMSNormBwd", CAT_NORM_BWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::mm", "aten_mm", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "aten::mul", "aten_binary_elementwise", CAT_ELEMENTWISE, CAT_NONE, FAM_BINARY },
	{ "aten::mul_", "aten_binary_elementwise", CAT_ELEMENTWISE, CAT_NONE, FAM_BINARY },
	{ "aten::native_batch_norm", "BatchNorm", CAT_NORM_FWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::native_batch_norm_backward", "BatchNormBwd", CAT_NORM_BWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::native_group_norm", "GroupNorm", CAT_NORM_FWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::native_group_norm_backward", "GroupNormBwd", CAT_NORM_BWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::native_instance_norm", "InstanceNorm", CAT_NORM_FWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::native_instance_norm_backward", "InstanceNormBwd", CAT_NORM_BWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::native_layer_norm", "LayerNorm", CAT_NORM_FWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::native_layer_norm_backward", "LayerNormBwd", CAT_NORM_BWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::native_rms_norm_backward", "RMSNormBwd", CAT_NORM_BWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::neg", "aten_unary_elementwise", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "aten::norm", "aten_reduce", CAT_REDUCE, CAT_NONE, FAM_REDUCE },
	{ "aten::pow", "aten_unary_elementwise", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "aten::replication_pad1d", "aten_replication_pad", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "aten::replication_pad2d", "aten_replication_pad", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "aten::replication_pad3d", "aten_replication_pad", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "aten::rms_norm_backward", "RMSNormBwd", CAT_NORM_BWD, CAT_NORM_BWD, FAM_NORM },
	{ "aten::rsqrt", "aten_unary_elementwise", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "aten::sigmoid", "aten_unary_elementwise", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "aten::sigmoid_backward", "aten_binary_elementwise", CAT_ELEMENTWISE, CAT_NONE, FAM_BINARY },
	{ "aten::silu", "aten_unary_elementwise", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "aten::std", "aten_reduce", CAT_REDUCE, CAT_NONE, FAM_REDUCE },
	{ "aten::sum", "aten_reduce", CAT_REDUCE, CAT_NONE, FAM_REDUCE },
	{ "aten::threshold_backward", "aten_binary_elementwise", CAT_ELEMENTWISE, CAT_NONE, FAM_BINARY },
	{ "aten::upsample_nearest1d", "aten_upsample_nearest", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "aten::upsample_nearest2d", "aten_upsample_nearest", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "aten::upsample_nearest3d", "aten_upsample_nearest", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "aten::var", "aten_reduce", CAT_REDUCE, CAT_NONE, FAM_REDUCE },
	{ "bitsandbytes::int8_linear_matmul", "aten_scaled_mm", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "flash_attn::_flash_attn_backward", "flash_attention_backward", CAT_SDPA_BWD, CAT_SDPA_BWD, FAM_SDPA },
	{ "flash_attn::_flash_attn_forward", "flash_attention", CAT_SDPA_FWD, CAT_SDPA_BWD, FAM_SDPA },
	{ "flash_attn::_flash_attn_varlen_backward", "flash_attention_varlen_backward", CAT_SDPA_BWD, CAT_SDPA_BWD, FAM_SDPA },
	{ "flash_attn::_flash_attn_varlen_forward", "flash_attention_varlen_forward", CAT_SDPA_FWD, CAT_SDPA_BWD, FAM_SDPA },
	{ "flash_attn_3::fwd", "flash_attn_v3_forward", CAT_SDPA_FWD, CAT_SDPA_BWD, FAM_SDPA },
	{ "hipModuleLaunchKernel->kv_indices_generate_kernel (Synthetic Op)", NULL, CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_NONE },
	{ "primus::fused_ln_modulate", "FusedLnModulate", CAT_NORM_FWD, CAT_NORM_BWD, FAM_NORM },
	{ "primus::fused_ln_modulate_backward", "FusedLnModulateBackward", CAT_NORM_BWD, CAT_NORM_BWD, FAM_NORM },
	{ "primus::quantize_mxfp4_dual", "primus_turbo_quantize_mxfp4_dual", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "primus_turbo::grouped_gemm", "primus_turbo_grouped_gemm", CAT_GROUPED_GEMM_FWD, CAT_GROUPED_GEMM_BWD, FAM_GROUPED_GEMM },
	{ "primus_turbo::grouped_gemm_impl", "primus_turbo_grouped_gemm", CAT_GROUPED_GEMM_FWD, CAT_GROUPED_GEMM_BWD, FAM_GROUPED_GEMM },
	{ "primus_turbo::grouped_gemm_variable_k", "primus_turbo_grouped_gemm_variable_k", CAT_GROUPED_GEMM_FWD, CAT_GROUPED_GEMM_BWD, FAM_GROUPED_GEMM },
	{ "primus_turbo::grouped_gemm_variable_k_impl", "primus_turbo_grouped_gemm_variable_k", CAT_GROUPED_GEMM_FWD, CAT_GROUPED_GEMM_BWD, FAM_GROUPED_GEMM },
	{ "primus_turbo::hipblaslt_gemm_fp4", "hipblaslt_gemm_fp4", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "primus_turbo::hipblaslt_gemm_fp8", "hipblaslt_gemm_fp8", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "primus_turbo::quantize_fp8_tensorwise", "primus_turbo_quantize_fp8", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "primus_turbo::quantize_mxfp4_dual", "primus_turbo_quantize_mxfp4_dual", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "primus_turbo_cpp_extension::ck_grouped_gemm", "primus_turbo_grouped_gemm", CAT_GROUPED_GEMM_FWD, CAT_GROUPED_GEMM_BWD, FAM_GROUPED_GEMM },
	{ "primus_turbo_cpp_extension::ck_grouped_gemm_variable_k", "primus_turbo_grouped_gemm_variable_k", CAT_GROUPED_GEMM_FWD, CAT_GROUPED_GEMM_BWD, FAM_GROUPED_GEMM },
	{ "primus_turbo_cpp_extension::grouped_gemm", "primus_turbo_grouped_gemm", CAT_GROUPED_GEMM_FWD, CAT_GROUPED_GEMM_BWD, FAM_GROUPED_GEMM },
	{ "primus_turbo_cpp_extension::grouped_gemm_variable_k", "primus_turbo_grouped_gemm_variable_k", CAT_GROUPED_GEMM_FWD, CAT_GROUPED_GEMM_BWD, FAM_GROUPED_GEMM },
	{ "primus_turbo_cpp_extension::hipblaslt_gemm_fp4", "hipblaslt_gemm_fp4", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "primus_turbo_cpp_extension::hipblaslt_gemm_fp8", "hipblaslt_gemm_fp8", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "primus_turbo_cpp_extension::quantize_fp8_tensorwise", "primus_turbo_quantize_fp8", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "primus_turbo_cpp_extension::quantize_mxfp4_dual", "primus_turbo_quantize_mxfp4_dual", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "pseudo_mla_decode_fwd", "mla_decode_fwd", CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_INFERENCE_ATTENTION },
	{ "pseudo_mla_prefill_fwd", "pseudo_mla_prefill_fwd", CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_INFERENCE_ATTENTION },
	{ "pseudo_op::moe_aiter_fused_1stage", "moe_aiter_fused_1stage", CAT_MOE_FUSED, CAT_NONE, FAM_MOE_FUSED },
	{ "pseudo_op::moe_flydsl_stage1", "moe_flydsl_stage1", CAT_MOE_UNFUSED, CAT_NONE, FAM_MOE_UNFUSED },
	{ "pseudo_op::moe_flydsl_stage2", "moe_flydsl_stage2", CAT_MOE_UNFUSED, CAT_NONE, FAM_MOE_UNFUSED },
	{ "pseudo_op::moe_gptq_awq_down", "moe_gptq_awq_down", CAT_MOE_UNFUSED, CAT_NONE, FAM_MOE_UNFUSED },
	{ "pseudo_op::moe_gptq_awq_up", "moe_gptq_awq_up", CAT_MOE_UNFUSED, CAT_NONE, FAM_MOE_UNFUSED },
	{ "pseudo_op::moe_triton_unfused_down", "moe_triton_unfused_down", CAT_MOE_UNFUSED, CAT_NONE, FAM_MOE_UNFUSED },
	{ "pseudo_op::moe_triton_unfused_up", "moe_triton_unfused_up", CAT_MOE_UNFUSED, CAT_NONE, FAM_MOE_UNFUSED },
	{ "pseudo_v4_paged_decode_csa", "pseudo_v4_paged_decode_csa", CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_INFERENCE_ATTENTION },
	{ "pseudo_v4_paged_decode_hca", "pseudo_v4_paged_decode_hca", CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_INFERENCE_ATTENTION },
	{ "pseudo_v4_paged_decode_swa", "pseudo_v4_paged_decode_swa", CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_INFERENCE_ATTENTION },
	{ "sgl_kernel::all_reduce_reg", "sgl_kernel_all_reduce_reg", CAT_CUSTOM_COLLECTIVE, CAT_NONE, FAM_COLLECTIVE },
	{ "sgl_kernel::qr_all_reduce", "sgl_kernel_qr_all_reduce", CAT_CUSTOM_COLLECTIVE, CAT_NONE, FAM_COLLECTIVE },
	{ "sgl_kernel::rotary_embedding", "sgl_kernel_rotary_embedding", CAT_ROPE_FWD, CAT_NONE, FAM_ROPE },
	{ "sgl_kernel::silu_and_mul", "sgl_kernel_silu_and_mul", CAT_ELEMENTWISE, CAT_NONE, FAM_UNARY },
	{ "sglang::reg_all_gather_into_tensor", "sgl_kernel_reg_all_gather_into_tensor", CAT_CUSTOM_COLLECTIVE, CAT_NONE, FAM_COLLECTIVE },
	{ "sglang::store_cache", "sglang_store_cache", CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_INFERENCE_ATTENTION },
	{ "sglang_profiler::attention_paged_attention_ragged", "aiter_paged_attention_ragged", CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_INFERENCE_ATTENTION },
	{ "sglang_profiler::batched_gemm_a8w8_a_per_token_group_prequant_w_per_batched_tensor_quant_batched_gemm_a8w8_a_per_token_group_prequant_w_per_batched_tensor_quant", "batched_gemm_a8w8", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "sglang_profiler::fp8_utils_gemm_a8w8_blockscale", "gemm_a8w8_blockscale", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "sglang_profiler::fused_moe_triton_kernels_fused_append_shared_experts", "sglang_fused_append_shared_experts", CAT_MOE_AUX, CAT_NONE, FAM_MOE_AUX },
	{ "sglang_profiler::fused_moe_triton_kernels_invoke_fused_moe_kernel", "moe_triton_invoke_grouped_gemm", CAT_MOE_UNFUSED, CAT_NONE, FAM_MOE_UNFUSED },
	{ "sglang_profiler::fused_mxfp4_quant_fused_flatten_mxfp4_quant", "fused_flatten_mxfp4_quant", CAT_GROUP_QUANT, CAT_NONE, FAM_GROUP_QUANT },
	{ "sglang_profiler::fused_mxfp4_quant_fused_rms_mxfp4_quant", "fused_rms_mxfp4_quant", CAT_RMSNORM, CAT_NONE, FAM_RMSNORM },
	{ "sglang_profiler::gemm_a8w8_blockscale_gemm_a8w8_blockscale", "gemm_a8w8_blockscale", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "sglang_profiler::gemm_kernels_flydsl_hgemm", "gemm_a16w16_atomic_", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "sglang_profiler::quant_dynamic_mxfp4_quant", "sglang_quant_dynamic_mxfp4_quant", CAT_GROUP_QUANT, CAT_NONE, FAM_GROUP_QUANT },
	{ "sglang_profiler::tilelang_kernel_tilelang_sparse_fwd", "mla_tilelang_sparse_fwd", CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_INFERENCE_ATTENTION },
	{ "tex_ts::te_gemm_ts", "tex_ts_te_gemm_ts", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "trtllm::cublas_scaled_mm", "aten_scaled_mm", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "vllm::_rocm_aiter_preshuffled_per_token_w8a8_gemm", "gemm_a8w8_blockscale", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "vllm::gdn_attention_core", "gdn_attention_core", CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_INFERENCE_ATTENTION },
	{ "vllm::gemm_with_dynamic_quant", "vllm_gemm_with_dynamic_quant", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "vllm::rocm_aiter_rmsnorm_fp8_group_quant", "vllm_rocm_aiter_rmsnorm_fp8_group_quant", CAT_RMSNORM, CAT_NONE, FAM_RMSNORM },
	{ "vllm::rocm_aiter_rmsnorm_with_add_fp8_group_quant", "vllm_rocm_aiter_rmsnorm_with_add_fp8_group_quant", CAT_RMSNORM, CAT_NONE, FAM_RMSNORM },
	{ "vllm::rocm_aiter_triton_add_rmsnorm_pad", "vllm_rocm_aiter_triton_add_rmsnorm_pad", CAT_RMSNORM, CAT_NONE, FAM_RMSNORM },
	{ "vllm::rocm_aiter_triton_gemm_a8w8_blockscale", "gemm_a8w8_blockscale", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "vllm::rocm_unquantized_gemm", "vllm_rocm_unquantized_gemm", CAT_GEMM, CAT_NONE, FAM_GEMM },
	{ "vllm::triton_per_token_group_quant_fp8", "vllm_triton_per_token_group_quant_fp8", CAT_GROUP_QUANT, CAT_NONE, FAM_BINARY },
	{ "vllm::unified_attention_with_output", "vllm_unified_attention_with_output", CAT_INFERENCE_ATTENTION, CAT_NONE, FAM_INFERENCE_ATTENTION },
};
/* clang-format on */

/* Inductor's pointwise, reduction and persistent-reduction kernels. */
static const struct opmodel triton = { "triton", "triton", CAT_TRITON, CAT_NONE, FAM_TRITON };

static const char *const category_names[OP_CATEGORIES] = {
	[CAT_CONV_BWD] = "CONV_bwd",
	[CAT_CONV_FWD] = "CONV_fwd",
	[CAT_CROSS_ENTROPY_BWD] = "CrossEntropy_bwd",
	[CAT_CROSS_ENTROPY_FWD] = "CrossEntropy_fwd",
	[CAT_CUSTOM_COLLECTIVE] = "CustomCollective",
	[CAT_FUSED_ROPE] = "FusedRoPE",
	[CAT_GEMM] = "GEMM",
	[CAT_GROUP_QUANT] = "GroupQuant",
	[CAT_GROUPED_GEMM_BWD] = "GroupedGEMM_bwd",
	[CAT_GROUPED_GEMM_FWD] = "GroupedGEMM_fwd",
	[CAT_INFERENCE_ATTENTION] = "InferenceAttention",
	[CAT_MHC] = "mHC",
	[CAT_MOE_AUX] = "MoE_aux",
	[CAT_MOE_COMM_BWD] = "MoE_comm_bwd",
	[CAT_MOE_COMM_FWD] = "MoE_comm_fwd",
	[CAT_MOE_FUSED] = "MoE_fused",
	[CAT_MOE_UNFUSED] = "MoE_unfused",
	[CAT_NORM_BWD] = "NORM_bwd",
	[CAT_NORM_FWD] = "NORM_fwd",
	[CAT_RMSNORM] = "RMSNorm",
	[CAT_ROPE_BWD] = "RoPE_bwd",
	[CAT_ROPE_FWD] = "RoPE_fwd",
	[CAT_SDPA_BWD] = "SDPA_bwd",
	[CAT_SDPA_FWD] = "SDPA_fwd",
	[CAT_SSM_BWD] = "SSM_bwd",
	[CAT_SSM_FWD] = "SSM_fwd",
	[CAT_ELEMENTWISE] = "elementwise",
	[CAT_REDUCE] = "reduce",
	[CAT_TRITON] = "triton",
	[CAT_MULTI_TENSOR_APPLY] = "multi_tensor_apply",
	[CAT_RECORD_PARAM_COMMS] = "record_param_comms",
	[CAT_COMMUNICATION] = "communication",
	[CAT_OTHER] = "other",
	[CAT_UNLINKED] = "unlinked",
};

static bool is_inductor_kernel(struct str name)
{
	return str_starts(name, STR("triton_poi_")) || str_starts(name, STR("triton_red_")) ||
	       str_starts(name, STR("triton_per_"));
}

/* The first entry that is not before `name`; one past the last if there is none. */
static size_t lower_bound(struct str name)
{
	size_t lo = 0, hi = ARRAY_SIZE(models);

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (str_cmp(str_of(models[mid].name), name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static const struct opmodel *find_listed(struct str name)
{
	size_t i = lower_bound(name);

	return i < ARRAY_SIZE(models) && str_eq(str_of(models[i].name), name) ? &models[i] : NULL;
}

const struct opmodel *opmodel_find(struct str name)
{
	return is_inductor_kernel(name) ? &triton : find_listed(name);
}

uint16_t opmodel_number(const struct opmodel *m)
{
	if (!m)
		return 0;
	return (uint16_t)(m == &triton ? ARRAY_SIZE(models) + 1 : (size_t)(m - models) + 1);
}

const struct opmodel *opmodel_numbered(uint16_t number)
{
	if (!number)
		return NULL;
	return number > ARRAY_SIZE(models) ? &triton : &models[number - 1];
}

const struct opmodel *opmodel_find_synthetic(struct str source, struct str kernel)
{
	char name[512];
	int n = snprintf(name, sizeof(name), "%.*s->%.*s (Synthetic Op)", STR_ARGS(source),
			 STR_ARGS(kernel));

	return n > 0 && (size_t)n < sizeof(name) ? find_listed((struct str){ name, (size_t)n })
						 : NULL;
}

bool opmodel_has_synthetic(struct str source)
{
	for (size_t i = lower_bound(source); i < ARRAY_SIZE(models); i++) {
		struct str entry = str_of(models[i].name);
		if (!str_starts(entry, source))
			break;
		entry = (struct str){ entry.p + source.n, entry.n - source.n };
		if (str_starts(entry, STR("->")))
			return true;
	}
	return false;
}

/* The normalisation and grouped-product models know no backward pass of their own. */
bool opmodel_has_backward(const struct opmodel *m)
{
	return m->model && m->backward != CAT_NONE &&
	       (m->family == FAM_SDPA || m->family == FAM_CONV || m->family == FAM_SSM ||
		m->family == FAM_MOE_COMM);
}

const char *op_category_name(enum op_category c)
{
	return category_names[c];
}
