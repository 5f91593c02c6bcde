// A figure as a page of its own, which the browser prints or saves as PDF.
import type { Figure } from './figure'

let removePaper = () => {}

/** Prints the figure alone, on paper of its size. @param address of its image */
export async function print({ mm }: Pick<Figure, 'mm'>, address: string): Promise<void> {
  const paper = document.createElement('div')
  paper.className = 'paper'
  const image = new Image()
  image.src = address
  paper.append(image)
  const sheet = new CSSStyleSheet()
  // A strict style-src refuses a <style>. Paper of the exact size would break a line of rounded pixels onto a second page.
  sheet.replaceSync(`
    @page { size: ${mm.width}mm ${mm.height}mm; margin: 0 }
    .paper { display: none }
    @media print {
      html, body { overflow: hidden; height: 100%; margin: 0; background: none }
      body > :not(.paper) { display: none !important }
      .paper, .paper img { display: block; width: ${mm.width}mm; height: ${mm.height - 0.1}mm }
    }`)
  await image.decode()
  // Removes the paper of a print whose end the browser did not report.
  removePaper()
  document.body.append(paper)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  const remove = () => {
    paper.remove()
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
    removeEventListener('afterprint', remove)
  }
  removePaper = remove
  addEventListener('afterprint', remove)
  window.print()
}
