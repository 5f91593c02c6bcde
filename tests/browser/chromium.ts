/** The program that CHROME names, as `cargo xtask test` sets it; undefined leaves the search to Playwright. */
export const executable = process.env['CHROME']

/** WebGPU on SwiftShader, the software adapter that Chromium brings along: compute works, and canvases are presented. */
export const webgpu = [
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  '--use-angle=swiftshader',
  '--use-vulkan=swiftshader',
  '--enable-features=Vulkan',
  '--ignore-gpu-blocklist',
  '--enable-gpu-rasterization',
]

/** Keeps the browser to itself: nothing but the page talks to the network. */
export const quiet = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Chromium refuses to sandbox itself as root.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]
