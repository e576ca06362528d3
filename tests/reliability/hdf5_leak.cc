// HDF5 alone leaks memory when a full disk ends a file. This program shows it, without our code.
// No test runs it. As root:
//
//   g++ -fsanitize=address -I/usr/include/hdf5/serial hdf5_leak.cc -o leak -lhdf5_serial
//   mkdir disk && mount -t tmpfs -o size=256k none disk && cd disk && ../leak
//
// The first file that cannot be closed stays in a list of HDF5, so its memory is not lost yet.
// After the second file, AddressSanitizer reports 2,056 lost bytes: the buffer in which HDF5
// gathers what it writes about the file (H5F__accum_write). It grows with the file.
#include <hdf5.h>

#include <cstdio>
#include <string>

namespace {

// Returns whether the array was written.
bool WriteArray(hid_t file, const std::string& name) {
  const hsize_t size = 10;
  const float numbers[size] = {};
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  const hid_t array =
      H5Dcreate2(file, name.c_str(), H5T_IEEE_F32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Sclose(space);
  if (array < 0) return false;
  const herr_t written = H5Dwrite(array, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
  return H5Dclose(array) >= 0 && written >= 0;
}

}  // namespace

int main() {
  H5dont_atexit();  // its clean-up reads freed memory after a failed close
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  for (const char* name : {"first.h5", "second.h5"}) {
    const hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    int arrays = 0;
    while (WriteArray(file, std::to_string(arrays))) ++arrays;
    std::fprintf(stderr, "%s: %d arrays, close: %d\n", name, arrays, H5Fclose(file));
    std::remove(name);
  }
}
