import { useSyncExternalStore } from 'react'

const key = 'token'
const changed = new Set<() => void>()
const ended = new Set<() => void>()

export const readToken = () => localStorage.getItem(key)

export function storeToken(token: string) {
  localStorage.setItem(key, token)
  notify(changed)
}

export function removeToken() {
  localStorage.removeItem(key)
  notify(changed)
}

/** Ends the session after a 401: removes the token and notifies the listener, which redirects to the login page. */
export function endSession() {
  notify(ended)
  removeToken()
}

/** Calls the listener when the token changes, also when another tab logs in or out. */
export const onTokenChange = (listener: () => void) => listen(changed, listener)
export const onSessionEnd = (listener: () => void) => listen(ended, listener)

export const useToken = () => useSyncExternalStore(onTokenChange, readToken)

window.addEventListener('storage', (event) => {
  if (event.key === key || event.key === null) notify(changed)
})

function notify(listeners: Set<() => void>) {
  for (const listener of listeners) listener()
}

function listen(listeners: Set<() => void>, listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const listeners = new Set<() => void>()

/** Notifies the shell that the server refused a call because the workspace has no plan. */
export function notifyPlanRequired() {
  for (const listener of listeners) listener()
}

export function onPlanRequired(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
