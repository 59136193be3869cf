/* What the two makers of GPUs call the same thing. */
#include "synth.h"

const char *api_name(enum api api, bool rocm)
{
	static const char *const names[APIS][2] = {
		[API_LAUNCH] = { "cudaLaunchKernel", "hipLaunchKernel" },
		[API_COPY] = { "cudaMemcpyAsync", "hipMemcpyAsync" },
		[API_SET] = { "cudaMemsetAsync", "hipMemsetAsync" },
		[API_RECORD] = { "cudaEventRecord", "hipEventRecord" },
		[API_WAIT] = { "cudaStreamWaitEvent", "hipStreamWaitEvent" },
		[API_SYNC] = { "cudaStreamSynchronize", "hipStreamSynchronize" },
	};

	return names[api][rocm];
}

int stream_number(enum stream s, bool rocm)
{
	static const int numbers[STREAMS][2] = {
		[STREAM_COMPUTE] = { 7, 0 },
		[STREAM_NCCL] = { 20, 4 },
		[STREAM_COPY] = { 24, 3 },
	};

	return numbers[s][rocm];
}
