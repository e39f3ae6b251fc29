// Graphs: made node by node or by capture, instantiated, run in an order that keeps their dependencies.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "program/runtime/copy.h"
#include "program/runtime/submit.h"

using namespace lanescope::app;

namespace {

std::uint64_t id_of(cudaGraphNode_t node) { return reinterpret_cast<std::uint64_t>(node); }
cudaGraphNode_t node_of(std::uint64_t id) { return reinterpret_cast<cudaGraphNode_t>(id); }

Graph* find_graph(const Call& call, cudaGraph_t graph) {
  Graph* found = runtime().graphs.find(graph);
  if (found == nullptr)
    call.fail(cudaErrorInvalidValue, runtime().graphs.destroyed(graph)
                                         ? "the graph has been destroyed"
                                         : hex(graph) + " is no graph");
  return found;
}

GraphExec* find_executable(const Call& call, cudaGraphExec_t executable) {
  GraphExec* found = runtime().executables.find(executable);
  if (found == nullptr)
    call.fail(cudaErrorInvalidValue, runtime().executables.destroyed(executable)
                                         ? "the executable graph has been destroyed"
                                         : hex(executable) + " is no executable graph");
  return found;
}

/// Whatever graph it is in.
GraphNode* find_node(const Call& call, cudaGraphNode_t node, Graph** owner = nullptr) {
  for (const auto& [handle, graph] : runtime().graphs.live())
    if (GraphNode* found = graph->find(id_of(node))) {
      if (owner != nullptr) *owner = graph.get();
      return found;
    }
  call.fail(cudaErrorInvalidValue, hex(node) + " is no node of a graph");
  return nullptr;
}

cudaError_t add_node(const Call& call, cudaGraphNode_t* to, cudaGraph_t graph,
                     const cudaGraphNode_t* after, size_t count, GraphNode node) {
  Graph* found = find_graph(call, graph);
  if (found == nullptr) return cudaErrorInvalidValue;
  if (to == nullptr || (count > 0 && after == nullptr))
    return call.fail(cudaErrorInvalidValue, "nowhere to put the node, or no dependencies");
  for (size_t i = 0; i < count; ++i) {
    if (found->find(id_of(after[i])) == nullptr)
      return call.fail(cudaErrorInvalidValue,
                       fmt::format("dependency {} is no node of this graph", i));
    node.after.push_back(id_of(after[i]));
  }
  node.id = 0x5700'0000 + 16 * ++runtime().nodes_made;
  *to = node_of(node.id);
  found->nodes.push_back(std::move(node));
  return cudaSuccess;
}

cudaError_t add_work(const Call& call, cudaGraphNode_t* to, cudaGraph_t graph,
                     const cudaGraphNode_t* after, size_t count, cudaGraphNodeType type,
                     Work work) {
  GraphNode node;
  node.type = type;
  node.work = std::move(work);
  return add_node(call, to, graph, after, count, std::move(node));
}

cudaError_t kernel_of(const Call& call, const cudaKernelNodeParams* p, KernelWork& kernel) {
  if (p == nullptr) return call.fail(cudaErrorInvalidValue, "no parameters are given");
  const KernelFacts facts = runtime().outer.launcher->facts(p->func);
  if (facts.name.empty())
    return call.fail(cudaErrorInvalidDeviceFunction, hex(p->func) + " is no kernel");
  if (p->kernelParams == nullptr && !facts.parameter_bytes.empty())
    return call.fail(cudaErrorInvalidValue,
                     facts.name + ": the arguments have to be given by kernelParams");
  kernel = {};
  kernel.stub = p->func;
  kernel.grid = p->gridDim;
  kernel.block = p->blockDim;
  kernel.shared = p->sharedMemBytes;
  kernel.arguments = p->kernelParams;
  kernel.caller = call.caller();
  const cudaError_t error = check_launch(call, kernel);
  kernel.keep_arguments(facts.parameter_bytes);
  kernel.arguments = nullptr;
  return error;
}

/// Nodes in an order in which each stands behind those that it comes after. False if they go round in
/// a circle.
bool in_order(const std::vector<GraphNode>& nodes, std::vector<GraphNode>& sorted) {
  std::vector<std::uint64_t> done;
  std::vector<bool> taken(nodes.size());
  const auto is_done = [&](std::uint64_t id) {
    return std::find(done.begin(), done.end(), id) != done.end();
  };
  while (done.size() < nodes.size()) {
    const std::size_t before = done.size();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (taken[i] || !std::all_of(nodes[i].after.begin(), nodes[i].after.end(), is_done)) continue;
      taken[i] = true;
      done.push_back(nodes[i].id);
      sorted.push_back(nodes[i]);
    }
    if (done.size() == before) return false;
  }
  return true;
}

cudaError_t instantiate(const Call& call, cudaGraphExec_t* executable, cudaGraph_t graph) {
  const Graph* found = find_graph(call, graph);
  if (found == nullptr) return cudaErrorInvalidValue;
  if (executable == nullptr) return call.fail(cudaErrorInvalidValue, "nowhere to put the graph");
  GraphExec made;
  if (!in_order(found->nodes, made.nodes))
    return call.fail(cudaErrorInvalidValue, "the dependencies go round in a circle");
  *executable =
      reinterpret_cast<cudaGraphExec_t>(runtime().executables.make(std::move(made)).first);
  return cudaSuccess;
}

cudaError_t work_of(const Call& call, const GraphNode& node) {
  const bool copies = node.type == cudaGraphNodeTypeMemcpy;
  if (!copies && node.type != cudaGraphNodeTypeMemset) return node.work(call);
  const Call part = call.part(copies ? CallKind::copy : CallKind::fill);
  const cudaError_t error = node.work(part);
  part.answered(error);
  return error;
}

cudaError_t run_nodes(const Call& call, std::vector<GraphNode>& nodes, std::uint64_t stream) {
  for (GraphNode& node : nodes) {
    cudaError_t error = cudaSuccess;
    if (node.kernel)
      error = run_kernel(call, *node.kernel, stream);
    else if (node.work)
      error = work_of(call, node);
    if (error != cudaSuccess) return error;
    // After a fault nothing runs on the device any more.
    if (runtime().pending != cudaSuccess) break;
  }
  return cudaSuccess;
}

/// A launch into a captured stream becomes a node itself.
cudaError_t launch_graph(const Call& call, cudaGraphExec_t executable, cudaStream_t stream) {
  if (find_executable(call, executable) == nullptr) return cudaErrorInvalidValue;
  const Stream* found = find_stream(call, stream);
  if (found == nullptr) return cudaErrorInvalidResourceHandle;
  return submit(
      call, stream, cudaGraphNodeTypeGraph, [executable, number = found->number](const Call& then) {
        GraphExec* now = find_executable(then, executable);
        return now == nullptr ? cudaErrorInvalidValue : run_nodes(then, now->nodes, number);
      });
}

cudaError_t update(const Call& call, cudaGraphExec_t executable, cudaGraph_t graph,
                   cudaGraphExecUpdateResultInfo* result) {
  GraphExec* to = find_executable(call, executable);
  const Graph* from = to == nullptr ? nullptr : find_graph(call, graph);
  if (from == nullptr) return cudaErrorInvalidValue;
  std::vector<GraphNode> sorted;
  const bool same = in_order(from->nodes, sorted) && sorted.size() == to->nodes.size() &&
                    std::equal(sorted.begin(), sorted.end(), to->nodes.begin(),
                               [](const GraphNode& a, const GraphNode& b) {
                                 return a.type == b.type && a.after.size() == b.after.size();
                               });
  if (result != nullptr)
    *result = {same ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged, nullptr,
               nullptr};
  if (!same)
    return call.fail(cudaErrorGraphExecUpdateFailure,
                     "the graph has other nodes or dependencies than the one it was made from");
  to->nodes = std::move(sorted);
  return cudaSuccess;
}

template <class Chosen>
cudaError_t list_nodes(const Call& call, cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count,
                       Chosen chosen) {
  const Graph* found = find_graph(call, graph);
  if (found == nullptr || count == nullptr) return cudaErrorInvalidValue;
  std::vector<cudaGraphNode_t> all;
  for (const GraphNode& node : found->nodes)
    if (chosen(node)) all.push_back(node_of(node.id));
  if (nodes == nullptr) {
    *count = all.size();
    return cudaSuccess;
  }
  for (size_t i = 0; i < *count; ++i) nodes[i] = i < all.size() ? all[i] : nullptr;
  *count = std::min(*count, all.size());
  return cudaSuccess;
}

/// A fill of `height` rows, or of one.
Work fill_work(const cudaMemsetParams& p) {
  return [p](const Call& call) {
    const BoxSize size{p.width * p.elementSize, p.height, 1};
    return fill_box(call, p.dst, p.height > 1 ? p.pitch : size.width, 0, size, p.value,
                    p.elementSize);
  };
}

}  // namespace

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (graph == nullptr) return call.fail(cudaErrorInvalidValue, "nowhere to put the graph");
    *graph = reinterpret_cast<cudaGraph_t>(runtime().graphs.make().first);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (find_graph(call, graph) == nullptr) return cudaErrorInvalidValue;
    runtime().graphs.destroy(graph);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    const Graph* found = find_graph(call, graph);
    if (found == nullptr || clone == nullptr) return cudaErrorInvalidValue;
    // Nodes are known by their ids in the whole process, so the copies get their own.
    Graph copy = *found;
    std::map<std::uint64_t, std::uint64_t> renamed;
    for (GraphNode& node : copy.nodes) {
      const std::uint64_t id = 0x5700'0000 + 16 * ++runtime().nodes_made;
      renamed[node.id] = id;
      node.id = id;
    }
    for (GraphNode& node : copy.nodes)
      for (std::uint64_t& id : node.after) id = renamed[id];
    *clone = reinterpret_cast<cudaGraph_t>(runtime().graphs.make(std::move(copy)).first);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, size_t count,
                                   const cudaKernelNodeParams* parameters) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    GraphNode made;
    made.type = cudaGraphNodeTypeKernel;
    made.kernel.emplace();
    const cudaError_t error = kernel_of(call, parameters, *made.kernel);
    return error == cudaSuccess ? add_node(call, node, graph, after, count, std::move(made))
                                : error;
  });
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, size_t count,
                                   const cudaMemcpy3DParms* copy) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (copy == nullptr) return call.fail(cudaErrorInvalidValue, "no parameters are given");
    return add_work(call, node, graph, after, count, cudaGraphNodeTypeMemcpy,
                    [p = *copy](const Call& then) { return copy_parameters(then, p); });
  });
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* after, size_t count, void* to,
                                     const void* from, size_t bytes, cudaMemcpyKind kind) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    return add_work(call, node, graph, after, count, cudaGraphNodeTypeMemcpy,
                    [=](const Call& then) { return copy_bytes(then, to, from, bytes, kind); });
  });
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, size_t count,
                                   const cudaMemsetParams* parameters) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (parameters == nullptr) return call.fail(cudaErrorInvalidValue, "no parameters are given");
    const unsigned size = parameters->elementSize;
    if (size != 1 && size != 2 && size != 4)
      return call.fail(cudaErrorInvalidValue, fmt::format("elements of {} bytes", size));
    return add_work(call, node, graph, after, count, cudaGraphNodeTypeMemset,
                    fill_work(*parameters));
  });
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* after, size_t count,
                                 const cudaHostNodeParams* parameters) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (parameters == nullptr || parameters->fn == nullptr)
      return call.fail(cudaErrorInvalidValue, "no function is given");
    return add_work(call, node, graph, after, count, cudaGraphNodeTypeHost,
                    [p = *parameters](const Call&) {
                      p.fn(p.userData);
                      return cudaSuccess;
                    });
  });
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* after, size_t count) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return add_node(call, node, graph, after, count, {}); });
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* after, size_t count,
                                       cudaGraph_t child) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    const Graph* found = find_graph(call, child);
    if (found == nullptr) return cudaErrorInvalidValue;
    auto nodes = std::make_shared<std::vector<GraphNode>>();
    if (!in_order(found->nodes, *nodes))
      return call.fail(cudaErrorInvalidValue, "the child's dependencies go round in a circle");
    return add_work(call, node, graph, after, count, cudaGraphNodeTypeGraph,
                    [nodes](const Call& then) { return run_nodes(then, *nodes, 0); });
  });
}
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* after, size_t count,
                                        cudaEvent_t event) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    return add_work(call, node, graph, after, count, cudaGraphNodeTypeEventRecord,
                    [event](const Call& then) {
                      Event* found = find_event(then, event);
                      if (found == nullptr) return cudaErrorInvalidResourceHandle;
                      found->recorded = true;
                      found->nanoseconds = runtime().timeline.reached(then.stream());
                      return cudaSuccess;
                    });
  });
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* after, size_t count,
                                      cudaEvent_t event) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (find_event(call, event) == nullptr) return cudaErrorInvalidResourceHandle;
    return add_work(call, node, graph, after, count, cudaGraphNodeTypeWaitEvent, {});
  });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                     size_t count) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    Graph* found = find_graph(call, graph);
    if (found == nullptr) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i) {
      GraphNode* later = found->find(id_of(to[i]));
      if (later == nullptr || found->find(id_of(from[i])) == nullptr)
        return call.fail(cudaErrorInvalidValue,
                         fmt::format("edge {} leads to or from no node of this graph", i));
      later->after.push_back(id_of(from[i]));
    }
    return cudaSuccess;
  });
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    Graph* graph = nullptr;
    if (find_node(call, node, &graph) == nullptr) return cudaErrorInvalidValue;
    const std::uint64_t id = id_of(node);
    std::erase_if(graph->nodes, [&](const GraphNode& n) { return n.id == id; });
    for (GraphNode& other : graph->nodes) std::erase(other.after, id);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    return list_nodes(call, graph, nodes, count, [](const GraphNode&) { return true; });
  });
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    return list_nodes(call, graph, nodes, count,
                      [](const GraphNode& node) { return node.after.empty(); });
  });
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    const GraphNode* found = find_node(call, node);
    if (found == nullptr || type == nullptr) return cudaErrorInvalidValue;
    *type = found->type;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    GraphNode* found = find_node(call, node);
    if (found == nullptr || parameters == nullptr) return cudaErrorInvalidValue;
    if (!found->kernel) return call.fail(cudaErrorInvalidValue, "this is no kernel's node");
    KernelWork& kernel = *found->kernel;
    kernel.given_out = kernel.pointers();
    *parameters = {const_cast<void*>(kernel.stub),
                   kernel.grid,
                   kernel.block,
                   static_cast<unsigned>(kernel.shared),
                   kernel.given_out.data(),
                   nullptr};
    return cudaSuccess;
  });
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams* parameters) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    GraphNode* found = find_node(call, node);
    if (found == nullptr) return cudaErrorInvalidValue;
    if (!found->kernel) return call.fail(cudaErrorInvalidValue, "this is no kernel's node");
    KernelWork kernel;
    const cudaError_t error = kernel_of(call, parameters, kernel);
    if (error == cudaSuccess) found->kernel = std::move(kernel);
    return error;
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return instantiate(call, executable, graph); });
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return instantiate(call, executable, graph); });
}
cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    return find_executable(call, executable) == nullptr ? cudaErrorInvalidValue : cudaSuccess;
  });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return launch_graph(call, executable, stream); });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (find_executable(call, executable) == nullptr) return cudaErrorInvalidValue;
    runtime().executables.destroy(executable);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* result) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return update(call, executable, graph, result); });
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    GraphExec* found = find_executable(call, executable);
    if (found == nullptr) return cudaErrorInvalidValue;
    for (GraphNode& one : found->nodes)
      if (one.id == id_of(node) && one.kernel) {
        KernelWork kernel;
        const cudaError_t error = kernel_of(call, parameters, kernel);
        if (error == cudaSuccess) one.kernel = std::move(kernel);
        return error;
      }
    return call.fail(cudaErrorInvalidValue, hex(node) + " is no kernel's node of this graph");
  });
}
