//! Compute pipelines, one a kernel.

use super::Gpu;
use crate::plan::{Access, Kernel, Launch, Op};
use std::num::NonZeroU64;
use std::rc::Rc;

/// A pipeline with the layout of its bind group.
pub struct Pipeline {
    pub pipeline: wgpu::ComputePipeline,
    pub layout: wgpu::BindGroupLayout,
}

/// The pipelines of one device.
#[derive(Default)]
pub struct Pipelines {
    /// Few enough to be looked through, when a plan is made.
    made: Vec<(Kernel, Rc<Pipeline>)>,
}

impl Pipelines {
    /// The op's pipeline, made if it is not there yet, without waiting for the compiler: what it has against a shader,
    /// [`Gpu::alive`] tells.
    pub fn of(&mut self, gpu: &Gpu, op: &dyn Op) -> Rc<Pipeline> {
        let kernel = op.kernel();
        if let Some((_, made)) = self.made.iter().find(|(other, _)| *other == kernel) {
            return Rc::clone(made);
        }
        let made = Rc::new(make(gpu, op, &kernel));
        self.made.push((kernel, Rc::clone(&made)));
        made
    }

    /// Makes every pipeline of these ops.
    pub fn prepare<'a>(&mut self, gpu: &Gpu, ops: impl IntoIterator<Item = &'a Box<dyn Op>>) {
        for op in ops {
            self.of(gpu, &**op);
        }
    }

    /// How many were made.
    pub fn count(&self) -> usize {
        self.made.len()
    }
}

fn make(gpu: &Gpu, op: &dyn Op, kernel: &Kernel) -> Pipeline {
    let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(kernel.shader),
        source: wgpu::ShaderSource::Wgsl(kernel.wgsl().into()),
    });
    let storage = |access: Access| wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Storage { read_only: access == Access::Read },
        has_dynamic_offset: false,
        min_binding_size: None,
    };
    let parameters = wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: true,
        min_binding_size: NonZeroU64::new(4 * Launch::PARAMETERS as u64),
    };
    let entries: Vec<_> = op
        .uses()
        .into_iter()
        .map(|used| storage(used.access))
        .chain([parameters])
        .zip(0..)
        .map(|(ty, binding)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty,
            count: None,
        })
        .collect();
    let layout = gpu
        .device
        .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(kernel.shader), entries: &entries });
    let pipeline_layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(kernel.shader),
        bind_group_layouts: &[Some(&layout)],
        immediate_size: 0,
    });
    gpu.count_created();
    let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(kernel.shader),
        layout: Some(&pipeline_layout),
        module: &module,
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions { constants: &kernel.constants, ..Default::default() },
        cache: None,
    });
    Pipeline { pipeline, layout }
}
