import { VueQueryPlugin } from '@tanstack/vue-query'
import { createApp } from 'vue'
import App from './App.vue'
import { queryClient } from './data/query-client.ts'
import { applyTheme } from './data/theme.ts'
import { router } from './router.ts'
import './style/tokens.css'
import './style/base.css'
import './style/shell.css'
import './style/parts.css'
import './style/table.css'

applyTheme()
const app = createApp(App).use(VueQueryPlugin, { queryClient }).use(router)
// Until then it is not known who asks, nor which page is shown.
void router.isReady().then(() => app.mount('#app'))
