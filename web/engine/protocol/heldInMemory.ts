/** For tests: storage that holds this text. */
export function heldInMemory(text: string | null = null) {
  const storage = {
    text,
    getItem: () => storage.text,
    setItem: (_: string, value: string) => void (storage.text = value),
  }
  return storage
}
