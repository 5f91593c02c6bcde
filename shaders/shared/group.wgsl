// The place of a workgroup. A dispatch has its workgroups in two dimensions, as `grid` in src/plan/op.rs gives them. The index of the
// invocation is no member: then the struct would not be uniform, and a barrier could not follow a condition on the workgroup.
struct Group {
    @builtin(workgroup_id) place: vec3u,
    @builtin(num_workgroups) counts: vec3u,
}

fn index_of(group: Group) -> u32 { return group.place.x + group.place.y * group.counts.x; }
