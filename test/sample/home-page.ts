/** The front page: a link or form for each route, so that people and scanners find them. */
export const homePage = `<!doctype html><title>The Corner Shop</title>
<p><b>Deliberately vulnerable.</b> For this machine only.</p>
<ul>
<li><a href="/products?category=1">Lamps</a>, <a href="/products?category=2">tea</a>,
  <a href="/products/3">a candle</a>, <a href="/catalogue?sort=price">by price</a></li>
<li><a href="/parcel?token=cGFyY2VsLTIwNDE=">My parcel</a>, <a href="/basket">my basket</a>,
  <a href="/welcome">for friends of tea</a>, <a href="/voucher?code=TEA10">a voucher</a></li>
<li><a href="/manual?file=desk-lamp.txt">Manual of the lamp</a>,
  <a href="/lookup?host=localhost">look a host up</a>,
  <a href="/leave?next=/comments">leave</a>, <a href="/card?text={{shop}}">a card</a>,
  <a href="/comments?by=">what others say</a></li>
</ul>
<form action="/search"><input name="q" value="lamp"><button>Search</button></form>
<form action="/login" method="post"><input name="name" value="anna">
  <input name="password" type="password"><button>Log in</button></form>
<form action="/newsletter" method="post"><input name="mail"><button>Newsletter</button></form>
<form action="/comments" method="post"><input name="author"><textarea name="text"></textarea>
  <button>Comment</button></form>
<form action="/mail" method="post"><input name="mail"><button>Change my mail</button></form>
<form action="/picture"><input name="url" value="http://images.example/lamp.png">
  <button>Show a picture</button></form>
`;
