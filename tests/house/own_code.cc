// A plugin that keeps clang-tidy to our own code: its check `rhumb-own-code` says nothing, and
// leaves out what the precompiled header of tests/house/tidy_test.py declares. Without it
// clang-tidy also examines all of the standard library and of torch, which takes ten times as long.
#include <clang-tidy/ClangTidyCheck.h>
#include <clang-tidy/ClangTidyModule.h>
#include <clang-tidy/ClangTidyModuleRegistry.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <vector>

namespace {

class OwnCode : public clang::tidy::ClangTidyCheck {
 public:
  using ClangTidyCheck::ClangTidyCheck;

  // The whole unit is the first node that is visited, before what it declares.
  void registerMatchers(clang::ast_matchers::MatchFinder* finder) override {
    finder->addMatcher(clang::ast_matchers::translationUnitDecl(), this);
  }

  void check(const clang::ast_matchers::MatchFinder::MatchResult& result) override {
    std::vector<clang::Decl*> own;
    for (clang::Decl* declared : result.Context->getTranslationUnitDecl()->noload_decls()) {
      if (!declared->isFromASTFile()) own.push_back(declared);
    }
    result.Context->setTraversalScope(own);
  }
};

class OwnCodeModule : public clang::tidy::ClangTidyModule {
 public:
  void addCheckFactories(clang::tidy::ClangTidyCheckFactories& factories) override {
    factories.registerCheck<OwnCode>("rhumb-own-code");
  }
};

const clang::tidy::ClangTidyModuleRegistry::Add<OwnCodeModule> kModule("rhumb", "checks of rhumb");

}  // namespace
