import { isDashboard } from './return-url.ts'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'

const listeners = new Set<(path: string) => void>()

/** Navigates from outside the router. Pages of the console open in place; other URLs load a new page. */
export function navigateTo(url: string) {
  const { pathname, search } = new URL(url, window.location.href)
  // Compare only the path, because the console may be open at a different URL than PUBLIC_URL.
  if (isDashboard(pathname)) for (const listener of listeners) listener(pathname + search)
  else window.location.assign(url)
}

export function onNavigate(listener: (path: string) => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function NavigationListener() {
  const navigate = useNavigate()
  useEffect(() => onNavigate((path) => void navigate(path)), [navigate])
  return null
}
