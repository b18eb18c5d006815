import { toast } from 'sonner'
import { logError } from './log.ts'
import { changeSettings } from './local-settings.ts'

/** Returns whether notifications are available: browsers offer them only over HTTPS or on localhost. */
export const supportsNotifications = () => window.isSecureContext && 'Notification' in window

/** Asks for permission. Browsers allow the question only after a click. */
export async function turnOnNotifications() {
  if ((await window.Notification.requestPermission()) === 'granted')
    changeSettings({ notify_deployments: true })
  else toast.error('Notifications are blocked. Allow them in your browser settings.')
}

interface BrowserNotification {
  title: string
  body: string
  /** Key of the notification; a new one replaces an earlier one with the same tag. */
  tag: string
  onClick: () => void
}

/** Shows a notification, unless the page is in view. */
export function showNotification({ title, body, tag, onClick }: BrowserNotification) {
  if (document.hasFocus() || !supportsNotifications() || window.Notification.permission !== 'granted') return
  try {
    const shown = new window.Notification(title, { body, tag, icon: '/icon.svg' })
    shown.addEventListener('click', () => {
      window.focus()
      shown.close()
      onClick()
    })
  } catch (error) {
    // Chrome on Android has the constructor but throws when it is called.
    logError('Could not show a notification', error)
  }
}
