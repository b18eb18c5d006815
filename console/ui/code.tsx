import { Copy } from './copy.tsx'

export function Code({ children }: { children: string }) {
  return <code className="rounded-sm bg-hover px-1 py-0.5 font-mono text-[0.92em] break-all">{children}</code>
}

/** A command or a secret to take away. */
export function CodeBlock({ children, label }: { children: string; label: string }) {
  return (
    <div className="flex items-start gap-2 rounded-md border border-line bg-subtle py-1 pr-1 pl-3">
      <pre className="min-w-0 flex-1 py-1 font-mono text-sm wrap-anywhere whitespace-pre-wrap">
        {children}
      </pre>
      <Copy text={children} label={label} />
    </div>
  )
}
