import { CopyButton } from './copy-button.tsx'

export function CodeBlock({ children, label }: { children: string; label: string }) {
  return (
    <div className="flex items-start gap-2 rounded-md border border-line bg-subtle py-1 pr-1 pl-3">
      <pre className="min-w-0 flex-1 py-1 font-mono text-sm wrap-anywhere whitespace-pre-wrap">
        {children}
      </pre>
      <CopyButton text={children} label={label} />
    </div>
  )
}

export function Kbd({ children }: { children: string }) {
  return (
    <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded-sm border border-line bg-subtle px-1 font-sans text-xs text-muted">
      {children}
    </kbd>
  )
}

export const Masked = () => (
  <>
    <span aria-hidden className="text-muted">
      ••••••••
    </span>
    <span className="sr-only">Hidden</span>
  </>
)
