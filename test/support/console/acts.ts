import { PointerEventsCheckLevel, type UserEvent, userEvent } from '@testing-library/user-event'

let hand: UserEvent | undefined

/** One user per document, because it holds the clipboard. */
const user = () =>
  (hand ??= userEvent.setup({ document, delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never }))

export async function click(element: Element, times = 1): Promise<void> {
  if (times === 1) await user().click(element)
  else await user().dblClick(element)
}

/** Replaces the value at once, like a paste. */
export function fill(element: Element, value: string): void {
  const kind = element instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement
  if (!(element instanceof kind)) throw new Error(`A ${element.tagName} cannot be filled in.`)
  element.focus()
  // React overrides the setter, which would hide the change.
  Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(element, value)
  element.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }))
}

/** For example `Enter`, `g` or `Control+k`. */
export async function press(keys: string): Promise<void> {
  const names = keys === '+' ? ['+'] : keys.split('+')
  const held = names.slice(0, -1)
  const down = held.map((name) => `{${name}>}`).join('')
  const up = held.map((name) => `{/${name}}`).join('')
  const last = names.at(-1) ?? ''
  const key = last === 'Space' ? ' ' : last
  await user().keyboard(`${down}${key.length === 1 ? key.replace(/[{[]/, '$&$&') : `{${key}}`}${up}`)
}

/** Pastes into the focused field. */
export const paste = (text: string): Promise<void> => user().paste(text)

/** Types character by character. */
export const type = (text: string): Promise<void> => user().keyboard(text.replaceAll(/[{[]/g, '$&$&'))
