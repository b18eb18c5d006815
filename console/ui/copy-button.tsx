import { Check, Copy as CopyIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { toast } from 'sonner'
import { Button } from './button.tsx'

interface CopyProps {
  /** Text to copy. A function is called only when the user copies, for values that are expensive to compute. */
  text: string | (() => string)
  label: string
  /** Visible label; without it, the button shows only an icon. */
  children?: string
  variant?: 'secondary' | 'ghost'
  onCopied?: () => void
}

export function CopyButton({ text, label, children, variant = 'ghost', onCopied }: CopyProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy() {
    try {
      await copyToClipboard(typeof text === 'string' ? text : text())
      setCopied(true)
      onCopied?.()
      toast.success('Copied to clipboard', { id: 'copied' })
    } catch (error) {
      // oxlint-disable-next-line no-console -- a failure is only logged, as the specification demands
      console.error('Could not copy to clipboard', error)
    }
  }

  const Icon = copied ? Check : CopyIcon
  return (
    <Button
      variant={variant}
      size={children ? 'medium' : 'small'}
      icon={!children}
      aria-label={label}
      onClick={() => void copy()}
    >
      <Icon aria-hidden />
      {children}
    </Button>
  )
}

/** Copies a text. Throws if the browser denies access to the clipboard. */
export async function copyToClipboard(text: string): Promise<void> {
  // The clipboard API needs HTTPS. Over HTTP, a browser can only copy a selection.
  if (window.isSecureContext) await navigator.clipboard.writeText(text)
  else copySelection(text)
}

function copySelection(text: string) {
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.setAttribute('aria-hidden', 'true')
  field.className = 'sr-only'
  // A dialog traps the focus, so the field must be next to the button.
  const place = before?.parentElement ?? document.body
  place.append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  if (!done) throw new Error('The browser denied access to the clipboard.')
}
