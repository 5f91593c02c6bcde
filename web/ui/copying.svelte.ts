/** Copies a text; where the browser allows no clipboard, offers it to be copied by hand. */
export class Copying {
  /** What the page announces. */
  message = $state('')
  /** The text to copy by hand. */
  byHand = $state('')

  clear(): void {
    this.message = this.byHand = ''
  }

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
