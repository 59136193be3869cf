/* The kernels, copies and sets of the job, with the names two makers of GPUs give them. */
#include "synth.h"

#define GRID(g, b) "\"grid\": [" g "], \"block\": [" b "]"
#define KERNEL     WORK_KERNEL, WORK_COMPUTE, STREAM_COMPUTE
#define ELEMENTWISE(functor)                                                          \
	"void at::native::vectorized_elementwise_kernel<4, at::native::" functor ", " \
	"at::detail::Array<char*, 3> >(int, at::native::" functor ", at::detail::Array<char*, 3>)"

const struct work works[] = {
	[W_HTOD] = { "Memcpy HtoD (Pinned -> Device)", "Memcpy HtoD (Host -> Device)", 61000,
		     "\"bytes\": 131072, \"memory bandwidth (GB/s)\": 21.487213114754099",
		     WORK_MEMCPY, WORK_COPY, STREAM_COPY },
	[W_DTOH] = { "Memcpy DtoH (Device -> Pageable)", "Memcpy DtoH (Device -> Host)", 1500,
		     "\"bytes\": 4, \"memory bandwidth (GB/s)\": 0.002666666666666667", WORK_MEMCPY,
		     WORK_COPY, STREAM_COMPUTE },
	[W_SET] = { "Memset (Device)", NULL, 2200,
		    "\"bytes\": 65536, \"memory bandwidth (GB/s)\": 29.789090909090909",
		    WORK_MEMSET, WORK_COMPUTE, STREAM_COMPUTE },
	[W_EMBED] = { "void at::native::(anonymous namespace)::indexSelectLargeIndex<c10::BFloat16, "
		      "long, unsigned int, 2, 2, -2, true>(at::cuda::detail::TensorInfo<c10::BFloat16,"
		      " unsigned int>, int, int, unsigned int, unsigned int, long)",
		      NULL, 19400, GRID("1056, 1, 1", "128, 1, 1"), KERNEL },
	[W_NORM] = { "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<"
		     "c10::BFloat16, float>(int, float, c10::BFloat16 const*, c10::BFloat16 const*, "
		     "c10::BFloat16 const*, float*, float*, c10::BFloat16*)",
		     NULL, 14200, GRID("8192, 1, 1", "32, 4, 1"), KERNEL },
	[W_GEMM_QKV] = { "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize"
			 "1x1x1_execute_segment_k_off_kernel__5x_cublas",
			 "Cijk_Alik_Bljk_BBS_BH_Bias_HAS_SAV_UserArgs_MT256x224x64_MI16x16x1_SN_LDSB0_AFC1",
			 84000, GRID("24, 64, 1", "384, 1, 1"), KERNEL },
	[W_GEMM_OUT] = { "nvjet_tst_128x256_64x4_1x2_h_bz_coopA_TNT",
			 "Cijk_Alik_Bljk_BBS_BH_Bias_HAS_SAV_UserArgs_MT256x128x64_MI16x16x1_SN_LDSB0_AFC1",
			 31000, GRID("8, 64, 1", "384, 1, 1"), KERNEL },
	[W_GEMM_UP] = { "nvjet_tst_256x128_64x4_2x1_v_bz_coopA_bias_TNT",
			"Cijk_Alik_Bljk_BBS_BH_Bias_HAS_SAV_UserArgs_MT256x256x64_MI16x16x1_SN_LDSB0_AFC1",
			109000, GRID("32, 64, 1", "384, 1, 1"), KERNEL },
	[W_GEMM_DOWN] = { "nvjet_tst_256x128_64x4_1x2_h_bz_coopB_bias_TNT",
			  "Cijk_Alik_Bljk_BBS_BH_Bias_HAS_SAV_UserArgs_MT128x256x64_MI16x16x1_SN_LDSB0_AFC1",
			  112000, GRID("8, 64, 1", "384, 1, 1"), KERNEL },
	[W_FLASH] = { "void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<64,"
		      " 128, 128, 4, false, false, cutlass::bfloat16_t>, false, true, false, false, "
		      "false, true, false, false>(pytorch_flash::Flash_fwd_params)",
		      "attn_fwd.kd", 118000, GRID("8, 8, 16", "128, 1, 1"), KERNEL },
	[W_GELU] = { ELEMENTWISE("GeluCUDAKernelImpl(at::TensorIteratorBase&, "
				 "at::native::GeluType)::{lambda()#2}"),
		     NULL, 38000, GRID("65536, 1, 1", "128, 1, 1"), KERNEL },
	[W_ADD] = { ELEMENTWISE("CUDAFunctor_add<c10::BFloat16>"), NULL, 17500,
		    GRID("16384, 1, 1", "128, 1, 1"), KERNEL },
	[W_GEMM_HEAD] = { "nvjet_tst_256x128_64x4_1x2_h_bz_coopA_NNT",
			  "Cijk_Ailk_Bljk_BBS_BH_UserArgs_MT256x256x64_MI16x16x1_SN_LDSB0_AFC1",
			  890000, GRID("250, 64, 1", "384, 1, 1"), KERNEL },
	[W_SOFTMAX] = { "void at::native::(anonymous namespace)::cunn_SoftMaxForward<8, c10::BFloat16,"
			" float, float, at::native::(anonymous namespace)::LogSoftMaxForwardEpilogue>"
			"(float*, c10::BFloat16 const*, int)",
			NULL, 412000, GRID("8192, 1, 1", "1024, 1, 1"), KERNEL },
	[W_NLL] = { "void at::native::(anonymous namespace)::nll_loss_forward_reduce_cuda_kernel_2d<"
		    "float, float, long>(float*, float*, float const*, long const*, float const*, bool, "
		    "long, long, long, long)",
		    NULL, 9100, GRID("1, 1, 1", "32, 1, 1"), KERNEL },
	[W_NLL_BACK] = { "void at::native::(anonymous namespace)::nll_loss_backward_reduce_cuda_kernel_"
			 "2d<float, long>(float*, float const*, long const*, float const*, float const*, "
			 "bool, int, int, long, long)",
			 NULL, 8700, GRID("1, 1, 1", "32, 1, 1"), KERNEL },
	[W_SOFTMAX_BACK] = { "void at::native::(anonymous namespace)::cunn_SoftMaxBackward<8, "
			     "c10::BFloat16, float, float, at::native::(anonymous namespace)::"
			     "LogSoftMaxBackwardEpilogue>(c10::BFloat16*, float const*, float const*, long)",
			     NULL, 571000, GRID("8192, 1, 1", "1024, 1, 1"), KERNEL },
	[W_GEMM_DX] = { "sm90_xmma_gemm_bf16bf16_bf16f32_f32_nn_n_tilesize128x128x64_warpgroupsize1x1x1"
			"_execute_segment_k_off_kernel__5x_cublas",
			"Cijk_Ailk_Bljk_BBS_BH_UserArgs_MT256x256x64_MI16x16x1_SN_LDSB1_AFC1",
			97000, GRID("32, 64, 1", "384, 1, 1"), KERNEL },
	[W_GEMM_DW] = { "sm90_xmma_gemm_bf16bf16_bf16f32_f32_nt_n_tilesize128x128x64_warpgroupsize1x1x1"
			"_execute_segment_k_off_kernel__5x_cublas",
			"Cijk_Ailk_Bjlk_BBS_BH_UserArgs_MT256x256x64_MI16x16x1_SN_LDSB1_AFC1",
			104000, GRID("32, 8, 1", "384, 1, 1"), KERNEL },
	[W_BIAS_SUM] = { "void at::native::reduce_kernel<128, 4, at::native::ReduceOp<c10::BFloat16, "
			 "at::native::func_wrapper_t<c10::BFloat16, at::native::sum_functor<c10::BFloat16,"
			 " float, c10::BFloat16>::operator()(at::TensorIterator&)::{lambda(float, float)#1}"
			 ">, unsigned int, c10::BFloat16, 4, 4> >(at::native::ReduceOp<c10::BFloat16>)",
			 NULL, 12300, GRID("32, 1, 1", "32, 16, 1"), KERNEL },
	[W_GELU_BACK] = { ELEMENTWISE("GeluBackwardCUDAKernelImpl(at::TensorIteratorBase&, "
				      "at::native::GeluType)::{lambda()#2}"),
			  NULL, 55000, GRID("65536, 1, 1", "128, 1, 1"), KERNEL },
	[W_NORM_BACK_X] = { "void at::native::(anonymous namespace)::layer_norm_grad_input_kernel_"
			    "vectorized<c10::BFloat16, float>(c10::BFloat16 const*, c10::BFloat16 const*, "
			    "float const*, float const*, c10::BFloat16 const*, c10::BFloat16*, int)",
			    NULL, 21000, GRID("8192, 1, 1", "128, 1, 1"), KERNEL },
	[W_NORM_BACK_W] = { "void at::native::(anonymous namespace)::GammaBetaBackwardCUDAKernelTemplate"
			    "<c10::BFloat16, float, 32u, 32u, 256u, true, true>(long, long, c10::BFloat16 "
			    "const*, c10::BFloat16 const*, float const*, float const*, c10::BFloat16*)",
			    NULL, 16800, GRID("32, 1, 1", "32, 32, 1"), KERNEL },
	[W_FLASH_DOT] = { "void pytorch_flash::flash_bwd_dot_do_o_kernel<true, pytorch_flash::Flash_bwd_"
			  "kernel_traits<64, 128, 128, 8, 4, 4, 4, false, false, cutlass::bfloat16_t> >("
			  "pytorch_flash::Flash_bwd_params)",
			  "bwd_preprocess.kd", 13900, GRID("8, 8, 16", "256, 1, 1"), KERNEL },
	[W_FLASH_BACK] = { "void pytorch_flash::flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<pytorch_"
			   "flash::Flash_bwd_kernel_traits<64, 128, 128, 8, 4, 4, 4, false, false, cutlass::"
			   "bfloat16_t>, false, true, false, false, true, true, false>(pytorch_flash::"
			   "Flash_bwd_params)",
			   "bwd_kernel_fuse.kd", 287000, GRID("8, 8, 16", "256, 1, 1"), KERNEL },
	[W_FLASH_CONVERT] = { "void pytorch_flash::flash_bwd_convert_dq_kernel<pytorch_flash::Flash_bwd_"
			      "kernel_traits<64, 128, 128, 8, 4, 4, 4, false, false, cutlass::bfloat16_t> >("
			      "pytorch_flash::Flash_bwd_params, int)",
			      "bwd_postprocess.kd", 11200, GRID("8, 8, 16", "256, 1, 1"), KERNEL },
	[W_EMBED_SORT] = { "void cub::DeviceRadixSortOnesweepKernel<cub::DeviceRadixSortPolicy<long, long,"
			   " int>::Policy900, false, long, long, int, int>(int*, int*, int*, int const*, "
			   "long*, long const*, long*, long const*, int, int, int)",
			   "void rocprim::detail::onesweep_iteration_kernel<rocprim::default_config, false>"
			   "(long*, long*, unsigned int)",
			   8300, GRID("22, 1, 1", "384, 1, 1"), KERNEL },
	[W_EMBED_BACK] = { "void at::native::(anonymous namespace)::compute_grad_weight<c10::BFloat16, "
			   "long>(long const*, c10::BFloat16 const*, long const*, long, long, long const*, "
			   "long const*, float*, long)",
			   NULL, 33500, GRID("256, 8, 1", "128, 1, 1"), KERNEL },
	[W_ACCUMULATE] = { ELEMENTWISE("CUDAFunctorOnSelf_add<c10::BFloat16>"), NULL, 7400,
			   GRID("2048, 1, 1", "128, 1, 1"), KERNEL },
	[W_ALL_REDUCE] = { "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
			   "ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)", 520000,
			   GRID("24, 1, 1", "544, 1, 1"), WORK_KERNEL, WORK_COMM, STREAM_NCCL },
	[W_NORM_PARTS] = { "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::"
			   "(anonymous namespace)::TensorListMetadata<1>, at::native::(anonymous namespace)"
			   "::LpNormFunctor<c10::BFloat16, (at::native::NormType)1, float, 1, 1, 0> >",
			   NULL, 46000, GRID("320, 1, 1", "512, 1, 1"), KERNEL },
	[W_NORM_SUM] = { "void at::native::(anonymous namespace)::lpnorm_cleanup<c10::BFloat16, "
			 "(at::native::NormType)1, float, float>(float const*, at::native::(anonymous "
			 "namespace)::TensorListAddresses, int)",
			 NULL, 3600, GRID("50, 1, 1", "512, 1, 1"), KERNEL },
	[W_SCALE] = { "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::("
		      "anonymous namespace)::TensorListMetadata<1>, at::native::(anonymous namespace)::"
		      "BinaryOpScalarTensorFunctor<c10::BFloat16, 1, 1, 0>, std::multiplies<float> >",
		      NULL, 51000, GRID("320, 1, 1", "512, 1, 1"), KERNEL },
	[W_ADAMW] = { "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::("
		      "anonymous namespace)::FusedOptimizerTensorListMetadata<4>, at::native::(anonymous "
		      "namespace)::FusedAdamMathFunctor<c10::BFloat16, 4, (at::native::ADAM_MODE)1, false>"
		      ", float const*, double, double, double, double, double, bool, float*, float*>",
		      NULL, 143000, GRID("320, 1, 1", "512, 1, 1"), KERNEL },
	[W_FILL] = { ELEMENTWISE("FillFunctor<float>"), NULL, 5200,
		     GRID("16384, 1, 1", "128, 1, 1"), KERNEL },
};
