const listeners = new Set<() => void>()

/** Notifies the shell that a call was refused because the workspace has no plan. */
export function notifyPlanRequired() {
  for (const listener of listeners) listener()
}

export function onPlanRequired(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
