import { isDashboard } from './wanted.ts'

const listeners = new Set<(path: string) => void>()

/** Leads to a page, from where no router is: a page of the console at once, any other in its own time. */
export function leadTo(url: string) {
  const { pathname, search } = new URL(url, window.location.href)
  // The console may be open at another address than the one that the server calls its own.
  if (isDashboard(pathname)) for (const listener of listeners) listener(pathname + search)
  else window.location.assign(url)
}

export function onLead(listener: (path: string) => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
