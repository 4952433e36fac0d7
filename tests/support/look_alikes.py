"""Names that cannot be told apart, and names of real people that can, by script."""

from __future__ import annotations

from itertools import combinations

# Pairs that the eye takes for one name, in many fonts. The second one imitates the first.
IMITATIONS = {
    "Vietnamese": (
        "Đức/Ðức Đức/Ɖức Đức/D\u0335ức Đức/D\u0336ức Đạt/Ðạt Đặng/Ɖặng Ánh/А\u0301nh Hoà/Ηoà Hoa/Hοa Trăng/Trǎng "
        "Ân/Ȃn Lê/Lȇ Mỹ/Мỹ Huệ/Нuệ Ngọc/Νgọc Tâm/Тâm Quỳnh/Ԛuỳnh Thảo/Τhảo Vân/Ѵân Ý/Ү\u0301 Phương/Рhương "
        "Châu/Ⅽhâu Sơn/Ѕơn Xuân/Хuân"
    ),
    "Cyrillic": (
        "Anna/Аnnа Peter/Рeter Oscar/Оsсаr Scope/Ѕсоре HOB/НОВ Kate/Кate Tom/Тоm Jessica/Јеssіса Eve/Еvе "
        "Mike/Міkе Bob/Воb Sonya/Sоnуа Dad/Ԁаԁ Wendy/Ԝеndу Vera/Ѵеra"
    ),
    "Greek": ("Nova/Νονα Zoe/Ζοe Alpha/Αlphα Tina/Τιna Kai/Και Hugo/Ηugο Maya/Μαγα Beta/Βetα Xavier/Χaνier Paul/Ραul"),
    "Armenian": ("Sarah/Տarah Lou/Լou Otto/Օttօ Hugo/հugo Gus/ցus Nina/ոina Jane/Յane Paul/Pauӏ"),
    "Cherokee": (
        "Dan/Ꭰan Rosa/Ꭱosa Tim/Ꭲim Jack/Ꭻack Will/Ꮃill Mia/Ꮇia Hans/Ꮋans George/Ꮐeorge Zoe/Ꮓoe Sam/Ꮪam Carl/Ꮯarl "
        "Paul/Ꮲaul Vera/Ꮩera Lena/Ꮮena Kim/Ꮶim Ben/Ᏼen Eve/Ꭼve Ada/Ꭺda dan/ꭰan"
    ),
    "Lisu": (
        "Ben/ꓐen Paul/ꓑaul Dan/ꓓan Tim/ꓔim Gus/ꓖus Kim/ꓗim Jack/ꓙack Carl/ꓚarl Zoe/ꓜoe Finn/ꓝinn Mia/ꓟia "
        "Nina/ꓠina Lena/ꓡena Sam/ꓢam Rosa/ꓣosa Vera/ꓦera Hans/ꓧans Will/ꓪill Xena/ꓫena Yara/ꓬara Ada/ꓮda Eve/ꓰve "
        "Ian/ꓲan Otto/ꓳtto Uwe/ꓴwe"
    ),
    "Coptic": ("Bob/Ⲃob Ida/Ⲓda Kim/Ⲕim Mia/Ⲙia Nina/Ⲛina Otto/Ⲟtto Paul/Ⲣaul Tom/Ⲧom Carl/Ⲥarl"),
    "Canadian": ("Pam/ᑭam Ben/ᗷen Dan/ᗞan Rosa/ᖇosa Hans/ᕼans Jack/ᒍack Lena/ᒪena Uwe/ᑌwe Vera/ᐯera Finn/ᖴinn"),
    "Old scripts": (
        "Sam/𐐠am Otto/𐐄tto Carl/𐐕arl Lena/𐑃ena Ada/𐊠da Ben/𐊂en Eve/𐊆ve Otto/𐊒tto Tim/𐌕im Xena/𐌗ena Kim/ᛕim"
    ),
    "Other living scripts": (
        "Otto/ⵔtto Otto/Оttо Bob/B೦b Bob/Bഠb Bob/Bօb Bob/Bסb Bob/Bهb Bob/B๐b Bob/B၀b Bob/B०b Lou/𑢣ou"
    ),
    "Odd Latin": (
        "Anna/Ａｎｎａ Anna/𝐀𝐧𝐧𝐚 Anna/𝔄𝔫𝔫𝔞 Anna/Ⓐⓝⓝⓐ Alice/ᴀʟɪᴄᴇ Bob/ʙᴏʙ Hans/ʜᴀɴꜱ Fred/ꜰʀᴇᴅ Max/ᴍᴀx Gina/ɢɪɴᴀ "
        "Sam/ѕаm Gus/ɡus Anna/ɑnnɑ Ilse/ılse Fred/ſred Sam/ſam Jan/ȷan Pia/ρia Vera/ⅴera Tom/𝕿𝖔𝖒 Kim/Kim "
        "Otto/ⲟtto Wes/ԝes Chris/Сhris"
    ),
    "Digits and strokes": (
        "alice/aIice alice/a1ice Alice/A|ice ALICE/A1ICE Bob/B0b BOB/b0b Ian/lan Ian/1an Ian/ǀan Ian/Ӏan Ian/Ⅰan "
        "Lola/L0la O'Brien/O’Brien O'Brien/O‘Brien O'Brien/Oʼbrien O'Brien/O`Brien O'Brien/O´Brien "
        "Jean-Luc/Jean–Luc Jean-Luc/Jean—Luc Jean-Luc/Jean‑Luc Jean-Luc/Jean−Luc"
    ),
    "Two for one": ("Marnie/Mamie Tom/Torn Will/VVill Owen/Ovven Aesop/Æsop Lois/Ꮮois"),
    "Arabic": ("علی/على حسين/حسین كريم/کریم مهدی/مہدی هدى/ہدى ا/l"),
    "Indic and Thai": ("आशा/अाशा औरव/अाैरव แก้ว/เเก้ว"),
    "Japanese": ("カイ/力イ ロイ/口イ タロ/夕ロ エミ/工ミ ハナ/八ナ ニコ/二コ トモ/卜モ"),
    "Unseen": ("An/A\u3164n An/A\u2800n An/A\u034fn An/An\ufe0f An/An\U000e0041 An/A\u200bn An/\u202eAn An/A\u2060n"),
}

# Names that people have. All of one script are different.
HONEST = {
    "Vietnamese": (
        "Ái An Ân Anh Ánh Ảnh Bách Bạch Ban Bản Băng Bằng Bảo Bão Bích Biên Bình Bính Cẩm Can Cần Cảnh Cát Châu "
        "Chấu Chi Chí Chiến Chiêu Chính Chung Chúng Chương Công Cúc Cương Cường Dạ Dần Danh Dao Dân Diễm Diên "
        "Diễn Diệp Diệu Dinh Doan Doãn Du Dụ Dư Dung Dũng Dụng Dương Dưỡng Duy Duyên Dực Đa Đại Đàm Đan Đàn Đào "
        "Đạo Đạt Đăng Đặng Đằng Điền Điển Điệp Định Đình Đỉnh Đoan Đoàn Đô Đỗ Độ Đông Đồng Đức Đường Gấm Gia "
        "Giang Giao Giáp Hà Hạ Hải Hai Hân Hằng Hạnh Hành Hào Hảo Hạo Hậu Hiên Hiền Hiển Hiến Hiệp Hiếu Hiệu "
        "Hinh Hoa Hoà Hòa Hoá Hoả Hoàn Hoan Hoàng Hoãng Hoạt Hồ Hộ Hoè Hồi Hội Hồng Hợp Huân Huấn Huệ Hùng Hưng "
        "Hứng Hương Hường Hướng Hưởng Huy Huỳnh Hy Hỷ Hữu Kha Khả Khải Khái Khang Khánh Khanh Khiêm Khoa Khoá "
        "Khôi Khởi Khương Khuê Kiên Kiến Kiệt Kiều Kiểu Kim Kính Ký Kỳ Kỷ Lạc Lam Lâm Lãm Lan Lân Lăng Lành Lê "
        "Lệ Liên Liễu Linh Lĩnh Loan Lộc Lợi Long Lữ Luân Luận Lực Lương Lượng Lưu Lựu Ly Lý Mai Mại Mẫn Mạnh "
        "Mão Mây Mến Miên Minh Mình Mơ Mỹ My Mùi Nam Năm Nga Ngà Ngân Nghi Nghị Nghĩa Nghiêm Ngọc Nguyên Nguyễn "
        "Nguyện Nguyệt Nhã Nhàn Nhân Nhẫn Nhất Nhật Nhi Nhị Nhiên Như Nhu Nhung Nhường Nương Oanh Phan Phát Phi "
        "Phong Phòng Phú Phụ Phúc Phục Phụng Phùng Phước Phương Phượng Phường Quân Quận Quang Quảng Quốc Quý Quỳ "
        "Quy Quyên Quyền Quyết Quỳnh San Sang Sáng Sinh Sĩ Sơn Son Song Sông Sương Tài Tấn Tân Tâm Tam Tạo Thạch "
        "Thái Thai Thắm Tham Thanh Thành Thánh Thảo Thao Thạo Thắng Thăng Thi Thị Thiên Thiện Thiệu Thịnh Thọ "
        "Thơ Thoa Thông Thống Thu Thú Thụ Thư Thứ Thuần Thuận Thục Thuý Thủy Thùy Thuỷ Thuỳ Thuyên Thương Thường "
        "Thượng Tiên Tiến Tín Tịnh Tình Toàn Toán Toản Tố Tô Trà Trâm Trang Trạng Tràng Trí Tri Trinh Trình Trúc "
        "Trung Trùng Trường Trương Trưởng Tú Tu Tứ Tư Từ Tuân Tuấn Tùng Tung Tường Tưởng Tuyên Tuyền Tuyến Tuyết "
        "Uyên Uyển Vân Văn Vạn Vận Vi Vĩ Vị Viên Viễn Viện Việt Vinh Vĩnh Vịnh Vũ Võ Vọng Vương Vượng Vy Vỹ Xuân "
        "Xuyến Ý Y Yên Yến Yết Ăn Dức Duc"
    ),
    "Latin": (
        "Ali All Ian Lan Ina Iva Lena Lana Tim Tom Tina Dina Dino Dana Mia Mila Milan Nina Nino Rosa Ross Max "
        "Marx Jan Jana Jane José Jose Zoe Zoë Łukasz Lukasz Øyvind Oyvind Søren Soren Björn Bjorn Jürgen Jurgen "
        "Ümit Umit Gül Gul Çağla Cagla Şule Sule Ősz Ösz Noël Noel Chloé Chloe Åsa Asa Ana Aña Mari Marie Marié "
        "Kai Kay Sam Sammy Ben Bern Bea Bee Cleo Theo Otto Uwe Ute Ida Ada Ava Eva Eve Lea Leo Lou"
    ),
    "Cyrillic": (
        "Вова Вика Вера Витя Валя Галя Гоша Даша Дима Егор Женя Зоя Иван Игорь Ира Катя Коля Костя Лена Лера "
        "Лида Маша Миша Надя Настя Оля Олег Паша Петя Рома Рита Саша Света Сеня Соня Таня Толя Тоня Уля Федя Юля "
        "Юра Яна Яша Ігор Їжак Євген Ґанна Анна Инна Нина Ника Шура Щука"
    ),
    "Greek": (
        "Νίκος Νίκη Γιώργος Γιάννης Μαρία Μάριος Κώστας Ελένη Δήμος Θάνος Θέμης Ιωάννα Λία Λένα Μίνα Νότα Ξένια "
        "Όλγα Παύλος Ρένα Σία Σωτήρης Τάσος Φίλιππος Χρήστος Ψυχή Ωραία Ρούλα Σούλα Τούλα Κούλα Βούλα Λούλα"
    ),
    "Hebrew": (
        "דן דנה דור דוד דין רון רן רוני רני שרה שרי שיר שירה נעה נועה נוי גיל גילה גל גלי אור אורי אורן אלי אילן "
        "איל יואב יובל יוסי משה מאיה מיה תמר טל טלי עדי עידו עומר עמית חן חנה חיים כרמל לי ליה ליאור פז צור קרן "
        "סיון סתיו זיו זהבה בר ברק"
    ),
    "Arabic": (
        "محمد أحمد حامد حمد محمود علي عالي عمر عمرو عمار سعد سعيد سعاد هدى هادي هند نور نورة نوال نبيل ليلى لينا "
        "مريم مروان مروة منى أمين أمينة آمنة زيد زينب زياد خالد خليل جميل جمال جمانة حسن حسين حسان حنان جنان رنا "
        "رانيا ريم رامي بدر بشر بسام تامر ثامر طارق فارس فراس قاسم كريم كمال يوسف ياسر یاسمن پرویز چنگیز ژاله "
        "گلناز"
    ),
    "Hindi": (
        "आशा उषा ओम अमित अनिल अनिता इला ईशा एकता कमल कमला किरण गीता गौरी जय जया दीपक दीपा नीता नीना पूजा प्रिया "
        "मोहन मीना मीरा रवि राज राजा राम रीता रीना विजय वीणा शिव शीला सीता सीमा सुनील सुनीता हरि हीरा"
    ),
    "Thai": (
        "กมล กานต์ แก้ว ขวัญ คำ ดำ ตำ จันทร์ ชัย ซัน ดาว ดารา ตุลา ทราย นก นุ่น บัว บุญ ปลา ปาน ฝน พร พล ฟ้า "
        "มานี มานะ เมฆ เมม ยิ้ม รุ้ง ลม ลูกปลา วันดี ศรี สมชาย สมศรี สมหญิง หนิง หมิว อร อ้อม"
    ),
    "Chinese": (
        "王伟 王芳 王丽 李娜 李静 李强 张敏 张磊 刘洋 刘阳 陈杰 陈洁 杨勇 杨永 赵军 赵君 黄艳 "
        "周涛 吴超 徐明 孙丽 马超 朱红 朱虹 胡斌 林峰 林枫 郭靖 何平 高飞 罗兰 王小明 王晓明 大明 "
        "太明 天明 夫明"
    ),
    "Japanese": (
        "さくら さくや はな はなこ ハナ ハナコ ゆい ゆうい ユイ ゆうこ ようこ たろう じろう タロウ ジロウ "
        "けん げん ケン ゲン あおい あい アイ あや あゆ れん りん ろん 葵 蓮 陽菜 結衣 "
        "翔太 翔大 大輔 太郎 次郎 美咲 美紀 真由 真央 ソウ リョウ シン ツン ンソ"
    ),
    "Korean": (
        "민준 민주 민지 민재 서준 서연 서윤 서현 지우 지유 지윤 지연 지훈 지은 하은 하윤 하준 "
        "하진 수빈 수진 수민 유진 유빈 은지 은주 현우 현주 현준 예준 예진 예은 도윤 도현 건우 "
        "우진 준우 준호 민호 진호 영희 철수"
    ),
    "Georgian and Armenian": (
        "გიორგი გიო ნინო ნანა ნინა თამარ თეა დათო დავით ლევან ლია მარი მაია Արամ Արմեն Անի Աննա Զարա Գարա Գոռ "
        "Գոն Նարե Նանե Ռուբեն Ոսկի"
    ),
    "Indian": ("கமலா கமல் ரவி ஈவா ஜோதி ஐஸ்வர்யா ராம் സീത സിത മീര മിറ രമ റമ ශාන් හාන් චමරි වමරි බණ්ඩාර ঋতু রীতা মিতা মীতা"),
}


def imitations() -> list[tuple[str, str]]:
    """Pairs of a name and one that imitates it."""
    pairs = (pair.partition("/") for words in IMITATIONS.values() for pair in words.split())
    return [(name, imitation) for name, _, imitation in pairs]


def honest_pairs(script: str) -> list[tuple[str, str]]:
    """All pairs of different names in a script."""
    return list(combinations(HONEST[script].split(), 2))
