/** Runs `work` once the present drawing is on screen: after two frames, since a picture that measures its room is drawn in the second. Returns how to cancel. */
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
