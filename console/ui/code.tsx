import { CopyButton } from './copy-button.tsx'

/** Command or secret with a copy button. */
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
