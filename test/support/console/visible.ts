/** Classes that hide at the width of the page, which exceeds each breakpoint. */
const hides = /(?:^|\s)(?:hidden|(?:sm|md|lg):hidden)(?:\s|$)/
const showsAgain = /(?:^|\s)(?:sm|md|lg):(?:block|flex|grid|inline|inline-flex|contents|table-cell)(?:\s|$)/

/** As far as can be known without layout. */
export const isVisible = (element: Element): boolean => element.isConnected && !within(element, hidesItself)

export const isExposed = (element: Element): boolean =>
  isVisible(element) && element.closest('[aria-hidden="true"]') === null

function within(element: Element, test: (one: Element) => boolean): boolean {
  for (let one: Element | null = element; one; one = one.parentElement) if (test(one)) return true
  return false
}

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
