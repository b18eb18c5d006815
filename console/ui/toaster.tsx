import { useEffect } from 'react'
import { Toaster as Sonner, toast } from 'sonner'

export function Toaster() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // A dialog or menu that closes on the same key has prevented the default.
      if (event.key === 'Escape' && !event.defaultPrevented) toast.dismiss()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return (
    <Sonner
      position="bottom-right"
      hotkey={['altKey', 'KeyT']}
      customAriaLabel="Notifications"
      duration={4000}
      visibleToasts={3}
      gap={8}
      style={{
        fontFamily: 'var(--font-sans)',
        ...cssVariables({
          '--normal-bg': 'var(--raised)',
          '--normal-border': 'var(--line)',
          '--normal-text': 'var(--ink)',
          '--border-radius': '8px',
          '--width': '22rem',
        }),
      }}
      toastOptions={{
        classNames: {
          // A dialog disables pointer events outside of it, but toasts must stay clickable.
          // On phones, a button has its own line, because the text beside it would be a narrow column.
          toast:
            'pointer-events-auto! shadow-float! text-sm! gap-2! p-3! max-sm:flex-wrap! max-sm:[&:has([data-button])_[data-content]]:basis-[calc(100%-2rem)]!',
          title: 'font-medium!',
          description: 'text-muted!',
          success: '[&_[data-icon]]:text-green',
          error: '[&_[data-icon]]:text-red',
          warning: '[&_[data-icon]]:text-yellow',
        },
      }}
    />
  )
}

/** Returns custom properties as a style, because the type of React has none. */
const cssVariables = (variables: Record<`--${string}`, string>): object => variables
