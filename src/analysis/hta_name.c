/* The names HTA knows. HIP calls never block for it, graph launches launch nothing. */
#include "analysis/hta.h"

static bool among(struct str name, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq(name, str_of(list[i])))
			return true;
	return false;
}

bool hta_is_launch(struct str name)
{
	static const char *const names[] = {
		"cudaLaunchKernel",    "cudaLaunchKernelExC",
		"cuLaunchKernel",      "cuLaunchKernelEx",
		"cudaMemcpyAsync",     "cudaMemsetAsync",
		"hipLaunchKernel",     "hipExtModuleLaunchKernel",
		"hipMemsetAsync",      "hipMemcpyAsync",
		"hipMemcpyWithStream", "runFunction - job_prep_and_submit_for_execution",
	};

	return among(name, names, ARRAY_SIZE(names));
}

bool hta_is_blocking(struct str name)
{
	static const char *const names[] = { "cudaDeviceSynchronize",
					     "cudaStreamSynchronize",
					     "cudaEventQuery",
					     "cudaEventSynchronize",
					     "cudaMemcpy",
					     "cudaMemcpyAsync" };

	return among(name, names, ARRAY_SIZE(names));
}

bool hta_is_locking(struct str name)
{
	static const char *const names[] = { "cudaHostAlloc", "cudaLaunchKernel",
					     "cudaMemcpyAsync" };

	return among(name, names, ARRAY_SIZE(names));
}

bool hta_is_collective(struct str name)
{
	return str_starts(name, STR("nccl")) || str_starts(name, STR("hip")) ||
	       str_starts(name, STR("hccl")) || str_contains(name, STR("ncclKernel"));
}

bool hta_is_loader(struct str name)
{
	return str_contains_nocase(name, STR("dataloader"));
}
