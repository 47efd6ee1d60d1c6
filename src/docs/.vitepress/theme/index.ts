import { type Theme, useRouter } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { nextTick, onMounted } from 'vue'
import TryIt from '../../console/TryIt.vue'
import { revealTarget, toggleFields } from '../../reveal.ts'
import './style.css'

/** The default theme without its web font, with what long nested pages need. */
export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    app.component('TryIt', TryIt)
  },
  setup: () => {
    const router = useRouter()
    onMounted(() => {
      revealTarget()
      router.onAfterRouteChange = () => void nextTick(revealTarget)
      addEventListener('hashchange', revealTarget)
      addEventListener('click', toggleFields)
    })
  },
} satisfies Theme
