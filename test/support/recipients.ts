import type { Recipient } from '../../src/domain/shipment.js';

/** Sample recipients, one per script. */
export const RECIPIENTS: readonly { script: string; address: Partial<Recipient>; note: string | null }[] = [
  of('Latin', 'Siân Đặng Žižka', 'Łódzka', 'Tel Aviv', 'Ring twice, please'),
  of('Hebrew', 'אָבִיגַיִל בן־דוד', 'שדרות רוטשילד', 'ראשון לציון', 'להשאיר אצל השכן'),
  of('Arabic', 'محمد الخطيب', 'شارع بولس السادس', 'الناصرة', 'الباب الخلفي'),
  of('Cyrillic', 'Алексей Щербаков', 'проспект Героев', 'Ашдод', 'Позвонить заранее'),
  of('Greek', 'Ελένη Παπαδοπούλου', 'Λεωφόρος Αθηνών', 'Θεσσαλονίκη', 'Χτυπήστε το κουδούνι'),
  of('Georgian', 'თამარ ქიქოძე', 'რუსთაველის გამზირი', 'თბილისი', 'დარეკეთ'),
  of('Armenian', 'Արամ Հակոբյան', 'Մաշտոցի պողոտա', 'Երևան', 'Զանգահարել'),
  of('Ethiopic', 'አበበ ቢቂላ', 'ቦሌ መንገድ', 'አዲስ አበባ', 'ከመምጣትህ በፊት ደውል'),
  of('Thai', 'สมชาย ใจดี', 'ถนนสุขุมวิท', 'กรุงเทพมหานคร', 'โทรก่อนส่ง'),
  of('Han', '李小龙', '朝阳区建国路', '北京市', '请放在门口'),
  of('Kana', '山田ハナコ', '渋谷区道玄坂', 'さいたま市', '午後にお願いします'),
  of('Hangul', '김민수', '강남구 테헤란로', '서울특별시', '문 앞에 놓아 주세요'),
  of('Devanagari', 'राम श्रेष्ठ', 'दरबार मार्ग', 'काठमाडौँ', 'फोन गर्नुहोस्'),
  of('Tamil', 'கவிதா முருகன்', 'அண்ணா சாலை', 'சென்னை', 'அழைக்கவும்'),
  of('Bengali', 'রহিম উদ্দিন', 'মিরপুর রোড', 'ঢাকা', 'ফোন করুন'),
];

function of(script: string, name: string, street: string, city: string, note: string) {
  return { script, address: { name, street, city, zip: null }, note };
}
