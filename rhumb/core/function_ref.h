// A non-owning view of a callable: two pointers, no allocation.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace rhumb::core {

template <class Signature>
class FunctionRef;

// The callable must outlive the view: use it for parameters only, and do not store it.
template <class Result, class... Args>
class FunctionRef<Result(Args...)> {
 public:
  template <class Callable>
  requires(!std::is_same_v<std::remove_cvref_t<Callable>, FunctionRef> &&
           std::is_invocable_r_v<Result, Callable&, Args...>)
      FunctionRef(
          Callable&& callable)  // NOLINT(google-explicit-constructor): a view, as string_view
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
        call_([](void* object, Args... args) -> Result {
          using Pointer = std::add_pointer_t<std::remove_reference_t<Callable>>;
          return (*static_cast<Pointer>(object))(std::forward<Args>(args)...);
        }) {
    static_assert(!std::is_function_v<std::remove_reference_t<Callable>>,
                  "wrap a plain function in a lambda");
  }

  Result operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  void* object_;
  Result (*call_)(void*, Args...);
};

}  // namespace rhumb::core
