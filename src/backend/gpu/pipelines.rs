//! A GPU with its compute pipelines, one for each kernel.

use super::Gpu;
use crate::plan::{Access, Kernel, Launch, Op};
use std::cell::RefCell;
use std::num::NonZeroU64;
use std::rc::Rc;

/// A pipeline with the layout of its bind group.
pub struct Pipeline {
    pub pipeline: wgpu::ComputePipeline,
    pub layout: wgpu::BindGroupLayout,
}

/// A GPU with its pipelines. Models on the same device share them.
pub struct GpuDevice {
    pub gpu: Gpu,
    /// A list, because there are few, and they are looked up only when a plan is created.
    pipelines: RefCell<Vec<(Kernel, Rc<Pipeline>)>>,
}

impl GpuDevice {
    pub fn new(gpu: Gpu) -> Self {
        Self { gpu, pipelines: RefCell::default() }
    }

    /// The kernels that have pipelines.
    pub fn kernels(&self) -> Vec<Kernel> {
        self.pipelines.borrow().iter().map(|(kernel, _)| kernel.clone()).collect()
    }

    /// Compiles missing pipelines of these ops.
    pub fn compile(&self, ops: &[Box<dyn Op>]) {
        ops.iter().for_each(|op| drop(self.pipeline(&**op)));
    }

    /// The pipeline of an op, created if missing. It does not wait for the compiler: [`Gpu::check_alive`] reports a shader that does not
    /// compile.
    pub fn pipeline(&self, op: &dyn Op) -> Rc<Pipeline> {
        let kernel = op.kernel();
        let mut pipelines = self.pipelines.borrow_mut();
        if let Some((_, pipeline)) = pipelines.iter().find(|(other, _)| *other == kernel) {
            return Rc::clone(pipeline);
        }
        let pipeline = Rc::new(create(&self.gpu, op, &kernel));
        pipelines.push((kernel, Rc::clone(&pipeline)));
        pipeline
    }
}

fn create(gpu: &Gpu, op: &dyn Op, kernel: &Kernel) -> Pipeline {
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
