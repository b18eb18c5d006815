const channel = new BroadcastChannel('slipway')

/** Other tabs share the session, so they must follow a workspace change. */
// oxlint-disable-next-line require-post-message-target-origin -- a channel has no other origin
export const notifyOtherTabs = () => channel.postMessage('workspace')

export function onOtherTabChange(listener: () => void) {
  channel.addEventListener('message', listener)
  return () => channel.removeEventListener('message', listener)
}
