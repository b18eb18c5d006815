/** By the classes that hide at every width, or at that of the page, which is wider than each breakpoint. */
const hides = /(?:^|\s)(?:hidden|(?:sm|md|lg):hidden)(?:\s|$)/
const showsAgain = /(?:^|\s)(?:sm|md|lg):(?:block|flex|grid|inline|inline-flex|contents|table-cell)(?:\s|$)/

/** Whether it is on screen, as far as that can be known without layout. */
export const isVisible = (element: Element): boolean => element.isConnected && !within(element, hidesItself)

/** Whether a screen reader finds it. */
export const isExposed = (element: Element): boolean =>
  isVisible(element) && element.closest('[aria-hidden="true"]') === null

function within(element: Element, test: (one: Element) => boolean): boolean {
  for (let one: Element | null = element; one; one = one.parentElement) if (test(one)) return true
  return false
}

/** Whether it is not displayed, whatever it stands in. */
export function hidesItself(element: Element): boolean {
  if (element.hasAttribute('hidden')) return true
  if (element instanceof HTMLElement) {
    const { display, visibility } = element.style
    if (display === 'none' || visibility === 'hidden') return true
  }
  if (element instanceof HTMLInputElement && element.type === 'hidden') return true
  const { parentElement: parent } = element
  if (parent instanceof HTMLDetailsElement && !parent.open && element.tagName !== 'SUMMARY') return true
  const names = element.getAttribute('class') ?? ''
  return hides.test(names) && !showsAgain.test(names)
}
