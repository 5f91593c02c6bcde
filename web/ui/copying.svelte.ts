/** Text that is put on the clipboard, or where the browser allows none (insecure pages, or by choice) is there to be copied by hand. */
export class Copying {
  /** What to say: that it is done. */
  message = $state('')
  /** The text that is to be copied by hand. */
  byHand = $state('')

  async copy(text: string, done: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      this.message = done
      this.byHand = ''
    } catch {
      this.message = ''
      this.byHand = text
    }
  }
}
