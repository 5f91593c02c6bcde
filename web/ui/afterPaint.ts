/** Runs `work` once what is being drawn is on screen: two frames, because what measures its room is drawn in the second. Returns its end. */
export function afterPaint(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(() => (timer = setTimeout(work)))
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
