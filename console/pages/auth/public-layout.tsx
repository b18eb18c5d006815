import type { ReactNode } from 'react'
import { Logo } from '../../ui/logo.tsx'

interface PublicLayoutProps {
  title: string
  description?: ReactNode
  children?: ReactNode
  footer?: ReactNode
}

export function PublicLayout({ title, description, children, footer }: PublicLayoutProps) {
  return (
    <main className="flex min-h-dvh flex-col items-center px-4 pt-[min(18vh,10rem)] max-sm:pt-16 pb-12">
      <div className="flex w-full max-w-[22rem] flex-col gap-6">
        <div className="flex flex-col gap-4">
          <div className="flex items-center gap-2">
            <Logo className="size-7" />
            <span className="text-lg font-semibold tracking-tight">Slipway</span>
          </div>
          <div className="flex flex-col gap-1">
            <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
            {description && <p className="text-muted">{description}</p>}
          </div>
        </div>
        {children}
        {footer && <p className="border-t border-line pt-4 text-muted">{footer}</p>}
      </div>
    </main>
  )
}
