// Where a pointer is on an element, and how it drags.

type Drag = PointerEvent & { readonly currentTarget: HTMLElement }

/** CSS px from the upper left corner of an element. */
export function offsetIn(
  element: Element,
  { clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>,
): { x: number; y: number } {
  const { left, top } = element.getBoundingClientRect()
  return { x: clientX - left, y: clientY - top }
}

/** For an element that follows the pointer while it is pressed, also outside of it. */
export const dragHandlers = (move: (event: Drag) => void, press = move) => ({
  onpointerdown(event: Drag): void {
    event.currentTarget.setPointerCapture(event.pointerId)
    press(event)
  },
  onpointermove(event: Drag): void {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) move(event)
  },
})
