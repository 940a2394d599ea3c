import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { client } from './api/client.ts'
import { router } from './routes.tsx'
import { applyTheme } from './shell/theme.ts'
import './sign-in/brought.ts'
import '../design/tokens.css'
import './design/base.css'
import './design/shell.css'
import './design/parts.css'
import './design/states.css'
import './design/overlays.css'
import './design/forms.css'
import './design/list.css'
import './design/entries.css'
import './design/charts.css'

applyTheme()
const element = document.getElementById('app')
if (!element) throw new Error('the page has no place for the dashboard')
createRoot(element).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
