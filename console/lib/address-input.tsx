import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { Input } from '../ui/form/input.tsx'
import { useSettings } from './settings.ts'

/** Masked like other addresses. Not a password field: browsers must not offer to save it. */
export function AddressInput(props: Omit<ComponentProps<typeof Input>, 'type' | 'className'>) {
  const { show_ip_addresses: always } = useSettings()
  const [shown, setShown] = useState(always)
  const Icon = shown ? EyeOff : Eye
  return (
    <div className="relative">
      <Input {...props} mono className={shown ? 'pr-9' : 'pr-9 [-webkit-text-security:disc]'} />
      <button
        type="button"
        aria-label={shown ? 'Hide the address' : 'Show the address'}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 flex w-9 items-center justify-center rounded-md text-muted hover:text-ink"
      >
        <Icon className="size-4" aria-hidden />
      </button>
    </div>
  )
}
