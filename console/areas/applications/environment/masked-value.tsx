import { Eye, EyeOff } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'

interface MaskedValueProps {
  name: string
  value: string | undefined
  /** Undefined for users who may not see the value. */
  onToggle?: (() => void) | undefined
}

export function MaskedValue({ name, value, onToggle }: MaskedValueProps) {
  const shown = value !== undefined
  const Icon = shown ? EyeOff : Eye
  return (
    <span className="flex min-w-0 items-center gap-1 py-1 max-sm:justify-end">
      {shown ? (
        <span className="min-w-0 font-mono wrap-anywhere whitespace-pre-wrap" dir="ltr">
          {value === '' ? <span className="text-muted">Empty</span> : value}
        </span>
      ) : (
        <span className="font-mono text-muted">
          <span aria-hidden>••••••••</span>
          <span className="sr-only">Hidden</span>
        </span>
      )}
      {onToggle && (
        <Button
          variant="ghost"
          size="small"
          icon
          aria-label={shown ? `Hide the value of ${name}` : `Show the value of ${name}`}
          onClick={onToggle}
        >
          <Icon aria-hidden />
        </Button>
      )}
      {shown && value !== '' && <CopyButton text={value} label={`Copy the value of ${name}`} />}
    </span>
  )
}
