#include "frontend/passes/recursion.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <vector>

#include "frontend/passes/recursion_stack.h"

namespace lanescope {
namespace {

constexpr unsigned kMostDepth = 256;
/// What cannot be unfolded as deep is put on a stack.
constexpr unsigned kEnoughDepth = 64;
/// Of all copies together, once they are inlined
constexpr std::size_t kMostInstructions = 30'000;

/// Functions that call one another in a circle; one that calls itself is a group of its own.
using Group = std::vector<llvm::Function*>;

std::size_t place_in(const Group& group, const llvm::Function* function) {
  return static_cast<std::size_t>(std::find(group.begin(), group.end(), function) - group.begin());
}

struct CallInGroup {
  llvm::CallBase* call;
  /// Places in the group
  std::size_t from, to;
};
/// What the bodies call of `callees`.
std::vector<CallInGroup> calls_of(const Group& bodies, const Group& callees) {
  std::vector<CallInGroup> calls;
  for (std::size_t from = 0; from < bodies.size(); ++from)
    for (llvm::BasicBlock& block : *bodies[from])
      for (llvm::Instruction& instruction : block)
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
          if (const std::size_t to = place_in(callees, call->getCalledFunction());
              to < callees.size())
            calls.push_back({call, from, to});
  return calls;
}

std::vector<Group> recursive_groups(llvm::Module& module) {
  std::vector<Group> groups;
  llvm::CallGraph graph(module);
  for (auto it = llvm::scc_begin(&graph); !it.isAtEnd(); ++it) {
    Group group;
    for (const llvm::CallGraphNode* node : *it)
      if (node->getFunction() != nullptr && !node->getFunction()->isDeclaration())
        group.push_back(node->getFunction());
    if (!calls_of(group, group).empty()) groups.push_back(std::move(group));
  }
  return groups;
}

bool is_called_from_outside(const llvm::Function& function, const Group& group) {
  return std::any_of(function.user_begin(), function.user_end(), [&](const llvm::User* user) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    return call == nullptr || place_in(group, call->getFunction()) == group.size();
  });
}

/// How deep a group may be unfolded.
unsigned depth_for(const Group& group) {
  const std::vector<CallInGroup> calls = calls_of(group, group);
  // Copies of each function's body at the depth that is looked at
  std::vector<std::size_t> bodies;
  for (const llvm::Function* function : group)
    bodies.push_back(is_called_from_outside(*function, group) ? 1 : 0);
  std::size_t all = 0;
  for (unsigned depth = 0; depth < kMostDepth; ++depth) {
    for (std::size_t i = 0; i < group.size(); ++i)
      all += bodies[i] * group[i]->getInstructionCount();
    if (all > kMostInstructions) return depth == 0 ? 0 : depth - 1;
    std::vector<std::size_t> deeper(group.size());
    for (const CallInGroup& call : calls) deeper[call.to] += bodies[call.from];
    bodies = std::move(deeper);
  }
  return kMostDepth;
}

/// A loop that calls makes a loop within a loop of each depth.
bool calls_in_loop(const Group& group) {
  return std::any_of(group.begin(), group.end(), [&](llvm::Function* function) {
    const llvm::DominatorTree tree(*function);
    const llvm::LoopInfo loops(tree);
    const std::vector<CallInGroup> calls = calls_of({function}, group);
    return std::any_of(calls.begin(), calls.end(), [&](const CallInGroup& each) {
      return loops.getLoopFor(each.call->getParent()) != nullptr;
    });
  });
}

void unfold(const Group& group) {
  Group level = group;
  for (unsigned left = depth_for(group); left > 0; --left) {
    Group deeper;
    for (std::size_t i = 0; i < level.size(); ++i) {
      llvm::ValueToValueMapTy values;
      deeper.push_back(llvm::CloneFunction(level[i], values));
      deeper.back()->setName(group[i]->getName() + ".deeper");
    }
    for (const Group& bodies : {level, deeper})
      for (const CallInGroup& each : calls_of(bodies, level))
        each.call->setCalledFunction(deeper[each.to]);
    level = std::move(deeper);
  }
}

}  // namespace

void unfold_recursion(llvm::Module& module) {
  for (const Group& group : recursive_groups(module))
    if ((depth_for(group) >= kEnoughDepth && !calls_in_loop(group)) || !put_on_stack(group))
      unfold(group);
}

}  // namespace lanescope
