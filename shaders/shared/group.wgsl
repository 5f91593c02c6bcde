// The place of a workgroup. A dispatch has its workgroups in rows of GRID_COLUMNS, as `grid` in src/plan/op.rs gives them. The width is a
// constant: naga writes num_workgroups for Direct3D only where the entry point itself reads it. The index of the invocation is no member:
// then the struct would not be uniform, and a barrier could not follow a condition on the workgroup.
const GRID_COLUMNS: u32 = 32768u;

// Invocations of a workgroup, `WORKGROUP` of src/plan/op.rs; a shader with more has a number of its own.
const WORKGROUP: u32 = 64u;

struct Group {
    @builtin(workgroup_id) place: vec3u,
}

fn index_of(group: Group) -> u32 { return group.place.x + group.place.y * GRID_COLUMNS; }
