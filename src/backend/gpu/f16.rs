//! 16-bit floats in shaders (WebGPU's `shader-f16`). WGSL allows a GPU to flush subnormal numbers to 0. The same weights would then be other
//! numbers than on the CPU, so a GPU has to show first that it converts them exactly.

use super::Gpu;
use crate::error::{Allocation, Error};
use crate::kernels::Format;
use crate::shaders;

/// Numbers that are checked: 0 and every positive subnormal number, which have these bits.
const SUBNORMALS: u16 = 1024;

/// Numbers of a workgroup of `shaders/f16_check/f16_check.wgsl`.
const WORKGROUP_NUMBERS: u32 = 256;

impl Gpu {
    /// Lets shaders use 16-bit floats, if the adapter has them and converts them exactly.
    ///
    /// # Errors
    /// [`Error::DeviceLost`].
    pub async fn with_f16(mut self) -> Result<Self, Error> {
        self.has_f16 =
            self.device.features().contains(wgpu::Features::SHADER_F16) && self.converts_f16_exactly().await?;
        let is_hardware = self.adapter.get_info().device_type != wgpu::DeviceType::Cpu;
        self.f16_weights = self.has_f16 && is_hardware;
        Ok(self)
    }

    /// Lets products read f16 weights as 16-bit floats on a software adapter, too, if its shaders may use them.
    pub fn with_f16_weights(mut self) -> Self {
        self.f16_weights = self.has_f16;
        self
    }

    /// Whether shaders may use 16-bit floats.
    pub fn has_f16(&self) -> bool {
        self.has_f16
    }

    /// Whether products read f16 weights as 16-bit floats, and not as words. llvmpipe takes 1.2 times as long with 16-bit floats.
    pub fn has_f16_weights(&self) -> bool {
        self.f16_weights
    }

    async fn converts_f16_exactly(&self) -> Result<bool, Error> {
        let bits: Vec<u16> = (0..SUBNORMALS).collect();
        let words: &[u32] = bytemuck::cast_slice(&bits);
        let mut expected = vec![0.0; bits.len()];
        Format::F16.dequantise(words, &mut expected);
        let bytes = size_of_val(expected.as_slice()) as u64;
        let numbers = match self.catch_errors(Allocation::Activations, bytes, || convert(self, words, bytes)).await {
            Ok(numbers) => numbers,
            Err(Error::DeviceLost { reason }) => return Err(Error::DeviceLost { reason }),
            // A driver whose compiler refuses the shader.
            Err(_) => return Ok(false),
        };
        let found = self.read(&numbers, expected.len()).await;
        numbers.destroy();
        self.check_alive()?;
        // What cannot be read back was not converted.
        let found = found.unwrap_or_default();
        let same = found.iter().zip(&expected).filter(|(found, expected)| found.to_bits() == expected.to_bits());
        Ok(same.count() == expected.len())
    }
}

/// Converts `words` of f16 numbers on the GPU. Returns the buffer of f32.
fn convert(gpu: &Gpu, words: &[u32], bytes: u64) -> wgpu::Buffer {
    let usage = wgpu::BufferUsages::STORAGE;
    let halves = gpu.buffer("f16", size_of_val(words) as u64, usage | wgpu::BufferUsages::COPY_DST);
    let numbers = gpu.buffer("f32", bytes, usage | wgpu::BufferUsages::COPY_SRC);
    gpu.queue.write_buffer(&halves, 0, bytemuck::cast_slice(words));
    let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("f16_check"),
        source: wgpu::ShaderSource::Wgsl(shaders::resolve("f16_check/f16_check", &[]).into()),
    });
    gpu.count_created();
    let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some("f16_check"),
        layout: None,
        module: &module,
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let buffers = [&halves, &numbers].into_iter().zip(0..);
    let entries: Vec<_> = buffers
        .map(|(buffer, binding)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
        .collect();
    let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("f16_check"),
        layout: &pipeline.get_bind_group_layout(0),
        entries: &entries,
    });
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("f16_check") });
    {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(u32::from(SUBNORMALS).div_ceil(WORKGROUP_NUMBERS), 1, 1);
    }
    gpu.queue.submit([encoder.finish()]);
    numbers
}
