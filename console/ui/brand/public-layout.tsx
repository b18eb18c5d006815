import type { ReactNode } from 'react'
import { HarborScene } from './harbor-scene.tsx'
import { Logo } from '../logo.tsx'

interface PublicLayoutProps {
  title: ReactNode
  description?: ReactNode
  children?: ReactNode
  footer?: ReactNode
}

export const PublicLayout = ({ title, description, children, footer }: PublicLayoutProps) => (
  <PublicFrame>
    <div className="flex flex-col gap-2 text-center text-balance wrap-anywhere">
      <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
      {description && <p className="text-muted">{description}</p>}
    </div>
    {children}
    {footer && <p className="text-center text-muted">{footer}</p>}
  </PublicFrame>
)

/** Frame of the pages before login. It stays empty until the page knows what to show, so that nothing moves. */
export const PublicFrame = ({ children }: { children?: ReactNode }) => (
  <div className="flex min-h-dvh flex-col">
    <main className="flex flex-1 flex-col items-center px-4 pt-[min(9dvh,7rem)] pb-4 max-sm:pt-10">
      <div className="flex w-full max-w-[22rem] flex-col gap-6 [&_input]:h-10">
        <p className="flex items-center justify-center gap-2.5 text-lg font-semibold tracking-tight">
          <Logo className="size-9" />
          Slipway
        </p>
        {children}
      </div>
    </main>
    {children && <HarborScene className="pointer-events-none -mt-8 h-50 shrink-0 max-sm:mt-0 max-sm:h-32" />}
  </div>
)
