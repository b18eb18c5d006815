import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './lib/http/query-client.ts'
// The pages before login follow the theme of the system, too.
import './lib/theme.ts'
import { Router, preload } from './router.tsx'
import { prefetchHome } from './shell/prefetch-home.ts'
import './theme.css'

preload(window.location.pathname)
void prefetchHome(window.location)

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root.')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Router />
    </QueryClientProvider>
  </StrictMode>,
)
