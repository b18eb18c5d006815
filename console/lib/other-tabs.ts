const channel = new BroadcastChannel('slipway')

/** Notifies other tabs of a workspace change. They share the session, so they must follow. */
// oxlint-disable-next-line require-post-message-target-origin -- a BroadcastChannel reaches only its own origin
export const notifyOtherTabs = () => channel.postMessage('workspace')

export function onOtherTabChange(listener: () => void) {
  channel.addEventListener('message', listener)
  return () => channel.removeEventListener('message', listener)
}
