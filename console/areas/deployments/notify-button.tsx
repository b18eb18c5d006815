import { Bell, BellRing } from 'lucide-react'
import { supportsNotifications, turnOnNotifications } from '../../lib/browser-notifications.ts'
import { changeSettings, useSettings } from '../../lib/local-settings.ts'
import { Button } from '../../ui/button.tsx'

/** Turns browser notifications about finished deployments on or off, for later deployments as well. */
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
