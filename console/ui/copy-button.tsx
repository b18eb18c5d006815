import { Check, Copy as CopyIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { toast } from 'sonner'
import { Button } from './button.tsx'
import { copyToClipboard } from './clipboard.ts'

interface CopyProps {
  /** Computed when copied, for expensive values. */
  text: string | (() => string)
  /** Accessible name: "Copy the token". */
  label: string
  /** Visible label; without it only the icon is shown. */
  children?: string
  variant?: 'secondary' | 'ghost'
}

export function CopyButton({ text, label, children, variant = 'ghost' }: CopyProps) {
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
      toast.success('Copied to clipboard', { id: 'copied' })
    } catch (error) {
      // oxlint-disable-next-line no-console -- a failure is logged only
      console.error('Could not copy to the clipboard', error)
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
