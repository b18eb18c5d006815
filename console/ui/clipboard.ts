/** Throws when the browser does not let it be. */
export async function putOnClipboard(text: string): Promise<void> {
  // Over plain http browsers have no other way than that of a selection.
  if (window.isSecureContext) await navigator.clipboard.writeText(text)
  else copySelection(text)
}

function copySelection(text: string) {
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.setAttribute('aria-hidden', 'true')
  field.className = 'sr-only'
  // Beside the button: a dialog would not let the focus out.
  const place = before?.parentElement ?? document.body
  place.append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  if (!done) throw new Error('The browser did not copy.')
}
