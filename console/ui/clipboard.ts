/** Throws if the browser denies access. */
export async function copyToClipboard(text: string): Promise<void> {
  // The clipboard API needs HTTPS; over HTTP only a selection can be copied.
  if (window.isSecureContext) await navigator.clipboard.writeText(text)
  else copySelection(text)
}

function copySelection(text: string) {
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.setAttribute('aria-hidden', 'true')
  field.className = 'sr-only'
  // Inserted next to the button: a dialog traps the focus.
  const place = before?.parentElement ?? document.body
  place.append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  if (!done) throw new Error('The browser did not copy.')
}
