//! Every kernel: against PyTorch's and NumPy's numbers on both backends, and on the GPU against its CPU twin over
//! many shapes.

mod attended;
mod numpy;
mod pytorch;
mod quantised;
mod shaders;
mod sweep_attention;
mod sweep_blocks;
mod sweep_clamped;
mod sweep_f16;
mod sweep_feed;
mod sweep_interventions;
mod sweep_labels;
mod sweep_linear;
mod sweep_number_replacement;
mod sweep_probes;
mod sweep_product;
mod sweep_projection;
mod sweep_rotation_effect;
mod sweep_rows;
mod sweep_sample;
mod sweep_statistics;
mod sweep_token_scale;
mod sweep_weighed;
