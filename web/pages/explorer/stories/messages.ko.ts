import { integer } from '../../../i18n/numbers'
import { hasNoHover } from '../../../ui/pointer'
import type { Messages } from './messages.en'

export default {
  stories: '이야기',
  label: (name) => `이야기: ${name}`,
  place: (caption, all) => `${integer(all)}개 중 ${integer(caption)}`,
  back: '뒤로',
  next: '다음',
  close: '닫기',
  end: '있던 곳으로',
  keys: '화살표와 엔터로 넘어가고, Esc를 누르면 있던 곳으로 돌아갑니다.',
  measuring: '측정하는 중…',
  loading: (model) => `${model} 모델을 불러오는 중…`,
  get elsewhere(): string {
    return hasNoHover()
      ? '다른 것을 선택했습니다. ‘다음’을 누르면 이야기가 이어지고, ✕를 누르면 있던 곳으로 돌아갑니다.'
      : '다른 것을 선택했습니다. 화살표를 누르면 이야기가 이어지고, Esc를 누르면 있던 곳으로 돌아갑니다.'
  },
} satisfies Messages
