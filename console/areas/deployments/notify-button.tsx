import { Bell, BellRing } from 'lucide-react'
import { supportsNotifications, turnOnNotifications } from '../../lib/browser-notifications.ts'
import { changeSettings, useSettings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'

/** Asks for a browser notification when a deployment ends. The choice is kept for later deployments. */
export function NotifyButton() {
  const { notify_deployments: on } = useSettings()
  if (!supportsNotifications()) return null
  const Icon = on ? BellRing : Bell
  return (
    <Button
      variant="ghost"
      aria-pressed={on}
      className="aria-pressed:bg-pressed"
      onClick={() => (on ? changeSettings({ notify_deployments: false }) : void turnOnNotifications())}
    >
      <Icon aria-hidden />
      Notify me
    </Button>
  )
}
