import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

/** Opens the first tooltip after a delay, and others soon after it without one. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={700} skipDelayDuration={300}>
      {children}
    </Radix.Provider>
  )
}

interface TooltipProps {
  content: ReactNode
  side?: 'top' | 'right' | 'bottom' | 'left'
  instant?: boolean
  /** Disables the tooltip without remounting its children. */
  off?: boolean
  children: ReactNode
}

export function Tooltip({ content, side = 'top', instant, off, children }: TooltipProps) {
  return (
    <Radix.Root {...(off ? { open: false } : {})} {...(instant ? { delayDuration: 0 } : {})}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-w-72 animate-fade items-center gap-2 rounded-md bg-ink px-2 py-1 text-xs text-page shadow-float"
        >
          {content}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
